import { Refusal } from "#shared/refusal.ts";
import { OutcomeUnknown } from "#db/away.ts";
import type { ReceiptBet, Receipts } from "#server/domains/log/receipts.ts";
import type { BetAnswer, BetBook, BetOrder, TakenBet } from "./bet-book.ts";

/** The most bets of one commit. */
const LARGEST_BATCH = 512;
/** With this many waiting, a refusal now is better than a late bet. */
const LONGEST_QUEUE = 20_000;

/** A bet's answer, with its receipt where it was taken. */
export type SignedAnswer = (TakenBet & { receipt: string }) | Exclude<BetAnswer, TakenBet>;

interface Waiting {
  order: BetOrder;
  resolve(answer: SignedAnswer): void;
  reject(error: unknown): void;
}

/**
 * Queues bets and places them in batches. The next batch starts as soon as one returns, with all bets that came
 * meanwhile; a bet that comes alone never waits.
 */
export class BetQueue {
  readonly #book: BetBook;
  readonly #receipts: Pick<Receipts, "of" | "again">;
  #waiting: Waiting[] = [];
  #gathering = false;
  /** Batches in flight. */
  #underWay = 0;

  constructor(book: BetBook, receipts: Pick<Receipts, "of" | "again">) {
    this.#book = book;
    this.#receipts = receipts;
  }

  /** The receipt of a bet that was taken before. */
  receiptOf(betId: number): Promise<string> {
    return this.#receipts.again(betId);
  }

  place(order: BetOrder): Promise<SignedAnswer> {
    if (this.#waiting.length >= LONGEST_QUEUE) throw new Refusal("server.away", { retryAfterS: 1 });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, resolve, reject });
      if (!this.#gathering && this.#underWay < this.#book.lanes) void this.#gather();
    });
  }

  async #gather(): Promise<void> {
    this.#gathering = true;
    // Requests of the same iteration of the event loop share the first batch.
    await new Promise(setImmediate);
    this.#gathering = false;
    while (this.#waiting.length > 0 && this.#underWay < this.#book.lanes) void this.#work();
  }

  async #work(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST_BATCH);
      try {
        const answers = await this.#book.place(batch.map(({ order }) => order));
        // The next batch need not wait for the signatures of this one.
        this.#answer(batch, answers);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#underWay--;
  }

  #answer(batch: Waiting[], answers: BetAnswer[]): void {
    const receipts = this.#sign(batch, answers);
    for (const [i, { resolve, reject }] of batch.entries()) {
      const answer = answers[i]!;
      if ("refused" in answer) resolve(answer);
      else {
        const { betId, commit } = answer;
        const receipt = commit ? receipts.get(commit.id)!.then((own) => own.get(betId)!) : this.#receipts.again(betId);
        // The bet is taken. Asking again with the same key gets its receipt.
        receipt.then(
          (signed) => resolve({ ...answer, receipt: signed }),
          (cause: unknown) => reject(new OutcomeUnknown({ cause })),
        );
      }
    }
  }

  /** The receipts of each commit, by bet. */
  #sign(batch: Waiting[], answers: BetAnswer[]): Map<number, Promise<Map<number, string>>> {
    const commits = new Map<number, { bets: ReceiptBet[]; logKey: number }>();
    for (const [i, answer] of answers.entries()) {
      if ("refused" in answer || !answer.commit) continue;
      const { id, at, logKey } = answer.commit;
      const commit = commits.get(id) ?? { bets: [], logKey };
      commit.bets.push({ ...batch[i]!.order, id: answer.betId, createdAt: at });
      commits.set(id, commit);
    }
    const signed = [...commits].map(async ([commit, { bets, logKey }]) => {
      const ordered = bets.toSorted((a, b) => a.id - b.id);
      const receipts = await this.#receipts.of(commit, ordered, logKey);
      return new Map(ordered.map(({ id }, at) => [id, receipts[at]!]));
    });
    return new Map([...commits.keys()].map((commit, i) => [commit, signed[i]!]));
  }
}
