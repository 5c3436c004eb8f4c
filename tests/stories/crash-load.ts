import { setTimeout as sleep } from "node:timers/promises";
import { lotteryInfo, placeOrder } from "#shared/contract/lottery.ts";
import { doRecharge } from "#shared/contract/payments.ts";
import { isDone, nowMs, payIfThere, type Answer, type Client, type Input } from "../support/client.ts";
import { dicer } from "../support/recompute.ts";

/** A server that is draining, or has no database, says so and gets a retry. */
const isAway = (answer: unknown) => (answer as { status?: number } | undefined)?.status === 503;

const TYPES = ["A", "B", "C", "D", "7", "9", "10", "11", "12", "14"];
const WORKERS_EACH = 3;
const MOST_UNPAID = 2;
/** How long a worker waits at least before it retries a server that did not answer. */
const AGAIN_MS = 10;

/** The acknowledged part of a bet, on which a member may rely. */
export interface AcknowledgedBet {
  member: number;
  key: string;
  input: Input;
  id: string;
  total: string;
  balance: string;
  receipt: string;
}

export interface Payment {
  member: number;
  order: string;
  units: number;
  paid: boolean;
  /** When all this was done, by this machine. */
  endedMs: number;
}

/** A member's turn to do one thing, under a key of its own. */
export interface Turn {
  client: Client;
  key: string;
  random: () => number;
  /** Asks until there is an answer, whatever happens to the server. */
  untilAnswered<T>(ask: () => Promise<T>): Promise<T>;
}

/** What members do beside betting and topping up. */
export type Deed = (turn: Turn) => Promise<void>;
/** How the oddity begins of an order that was acknowledged, and is not there. */
export const GONE = "there is no order";
/** How often a turn is one of those. */
const DEEDS = 0.35;

/**
 * Members who bet and top up all the time. Each request has an idempotency key and is retried until it is answered,
 * whatever happens to the server.
 */
export class Load {
  readonly bets: AcknowledgedBet[] = [];
  readonly payments: Payment[] = [];
  /** The commitment that each round showed while it was open. */
  readonly commits = new Map<string, string>();
  /** How often there was no answer. */
  unanswered = 0;
  /** Answers that nothing explains. */
  readonly oddities: string[] = [];
  readonly #members: Client[];
  readonly #gameKey: string;
  readonly #listening: () => Promise<void>;
  readonly #deeds: readonly Deed[];
  #stopped = false;
  #workers: Promise<void>[] = [];

  /** `listening` resolves when the server accepts requests again. */
  constructor(members: Client[], gameKey: string, listening: () => Promise<void>, deeds: readonly Deed[] = []) {
    this.#members = members;
    this.#gameKey = gameKey;
    this.#listening = listening;
    this.#deeds = deeds;
  }

  start(): void {
    this.#workers = this.#members.flatMap((_, member) =>
      Array.from({ length: WORKERS_EACH }, (_, i) => this.#work(member, member * WORKERS_EACH + i)),
    );
  }

  /** Finishes the requests under way: every key is answered in the end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
  }

  async topUp(member: number, units: number, key: string, paid = true): Promise<void> {
    const client = this.#members[member]!;
    const input = { pay_way: "sandbox", money: String(units) };
    const answer = await this.#untilAnswered(() => client.ask(doRecharge, input, key));
    // An unpaid order stays open for half an hour, and the number of open orders is limited.
    if (!isDone(answer) && answer.data?.reason === "recharge.open") return;
    if (!isDone(answer)) return this.#odd("doRecharge", answer);
    const { order, pay_url } = answer.data;
    const isThere = !paid || (await this.#untilAnswered(() => payIfThere(pay_url)));
    if (!isThere) return void this.oddities.push(`${GONE} ${order}`);
    this.payments.push({ member, order, units, paid, endedMs: nowMs() });
  }

  async #work(member: number, seed: number): Promise<void> {
    const random = dicer(seed + 1);
    for (let turn = 0; !this.#stopped; turn++) {
      const key = `worker-${seed}-${turn}`;
      if (random() < 0.08) await this.topUp(member, 1 + Math.floor(random() * 500), key, this.#pays(member, random));
      else if (this.#deeds.length > 0 && random() < DEEDS) await this.#do(member, key, random);
      else await this.#bet(member, key, random);
      await sleep(random() * 20);
    }
  }

  /** Orders that stay unpaid would, if they were many, keep their member from others for half an hour. */
  #pays(member: number, random: () => number): boolean {
    const unpaid = this.payments.filter((payment) => payment.member === member && !payment.paid).length;
    return random() < 0.9 || unpaid >= MOST_UNPAID;
  }

  #do(member: number, key: string, random: () => number): Promise<void> {
    const deed = this.#deeds[Math.floor(random() * this.#deeds.length)]!;
    return deed({ client: this.#members[member]!, key, random, untilAnswered: (ask) => this.#untilAnswered(ask) });
  }

  async #bet(member: number, key: string, random: () => number): Promise<void> {
    const expect = await this.#openRound(member);
    if (expect === null) return;
    const item = TYPES.filter(() => random() < 0.25).join() || "A";
    const money = String(1 + Math.floor(random() * 60));
    const input = { item, money, lid: "lot_1", mid: "", expect };
    const answer = await this.#untilAnswered(() => this.#members[member]!.ask(placeOrder, input, key));
    if (isDone(answer)) {
      const { id, total, balance, receipt } = answer.data;
      this.bets.push({ member, key, input, id, total, balance, receipt });
    } else if (answer.data?.reason !== "round.closed" && answer.data?.reason !== "balance.insufficient") {
      this.#odd("placeOrder", answer);
    }
  }

  async #openRound(member: number): Promise<string | null> {
    const answer = await this.#untilAnswered(() => this.#members[member]!.ask(lotteryInfo, { key: this.#gameKey }));
    if (!isDone(answer)) {
      this.#odd("getLotteryInfo", answer);
      return null;
    }
    const { state, next_expect, commit } = answer.data;
    if (state !== "open") return null;
    const before = this.commits.get(next_expect!) ?? commit!;
    if (before !== commit) this.oddities.push(`the commit of ${next_expect} was ${before} and is ${commit}`);
    this.commits.set(next_expect!, commit!);
    return next_expect;
  }

  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await ask();
        if (!isAway(answer)) return answer;
      } catch {
        this.unanswered++;
      }
      await sleep(AGAIN_MS);
      await this.#listening();
    }
  }

  #odd<T>(path: string, answer: Answer<T>): void {
    this.oddities.push(`${path}: ${JSON.stringify(answer)}`);
  }
}
