import { OutcomeUnknown } from "#db/away.ts";
import { BatchQueue } from "#server/domains/ledger/batch-queue.ts";
import type { ReceiptBet, Receipts } from "#server/domains/log/receipts.ts";
import type { BetAnswer, BetBook, BetOrder, TakenBet } from "./bet-book.ts";

/** The most bets of one commit. */
const LARGEST_BATCH = 512;

/** A bet's answer, with its receipt where it was taken. */
export type SignedAnswer = (TakenBet & { receipt: string }) | Exclude<BetAnswer, TakenBet>;

/** What a batch of bets goes through: its first bet waits, it is committed, its receipts are signed. */
export type BetStage = "wait" | "commit" | "sign";

/** Queues bets, places them in batches, and signs their receipts. */
export class BetQueue {
  readonly #receipts: Pick<Receipts, "of" | "again">;
  readonly #took: (stage: BetStage, ms: number) => void;
  readonly #queue: BatchQueue<BetOrder, SignedAnswer>;

  /** `took` hears how long each stage of a batch took. */
  constructor(
    book: BetBook,
    receipts: Pick<Receipts, "of" | "again">,
    took: (stage: BetStage, ms: number) => void = () => {},
  ) {
    this.#receipts = receipts;
    this.#took = took;
    this.#queue = new BatchQueue({
      largest: LARGEST_BATCH,
      lanes: book.lanes,
      // The next batch need not wait for the signatures of this one.
      place: async (orders, waitedMs) => {
        took("wait", waitedMs);
        const from = performance.now();
        const answers = await book.place(orders);
        took("commit", performance.now() - from);
        return this.#answer(orders, answers);
      },
    });
  }

  /** How many bets wait for a batch. */
  get length(): number {
    return this.#queue.length;
  }

  /** The receipt of a bet that was taken before. */
  receiptOf(betId: number): Promise<string> {
    return this.#receipts.again(betId);
  }

  place(order: BetOrder): Promise<SignedAnswer> {
    return this.#queue.place(order);
  }

  #answer(orders: BetOrder[], answers: BetAnswer[]): (SignedAnswer | Promise<SignedAnswer>)[] {
    const receipts = this.#sign(orders, answers);
    return answers.map((answer) => {
      if ("refused" in answer) return answer;
      const { betId, commit } = answer;
      const receipt = commit ? receipts.get(commit.id)!.then((own) => own.get(betId)!) : this.#receipts.again(betId);
      return receipt.then(
        (signed) => ({ ...answer, receipt: signed }),
        // The bet is taken. Asking again with the same key gets its receipt.
        (cause: unknown) => {
          throw new OutcomeUnknown({ cause });
        },
      );
    });
  }

  /** The receipts of each commit, by bet. */
  #sign(orders: BetOrder[], answers: BetAnswer[]): Map<number, Promise<Map<number, string>>> {
    const commits = new Map<number, { bets: ReceiptBet[]; logKey: number }>();
    for (const [i, answer] of answers.entries()) {
      if ("refused" in answer || !answer.commit) continue;
      const { id, at, logKey } = answer.commit;
      const commit = commits.get(id) ?? { bets: [], logKey };
      commit.bets.push({ ...orders[i]!, id: answer.betId, createdAt: at });
      commits.set(id, commit);
    }
    const signed = [...commits].map(async ([commit, { bets, logKey }]) => {
      const ordered = bets.toSorted((a, b) => a.id - b.id);
      const from = performance.now();
      const receipts = await this.#receipts.of(commit, ordered, logKey);
      this.#took("sign", performance.now() - from);
      return new Map(ordered.map(({ id }, at) => [id, receipts[at]!]));
    });
    return new Map([...commits.keys()].map((commit, i) => [commit, signed[i]!]));
  }
}
