import { inspect, isDeepStrictEqual } from "node:util";
import { plans } from "#db/schema/member.ts";
import { Reader, type WalletRow } from "./model-checks.ts";
import { ModelMember } from "./model.ts";
import { attempt } from "./model-attempts.ts";
import type { Clock, Step } from "./model-operations.ts";
import { PLANS, type Attempt } from "./model-requests.ts";
import { ModelGame, settle } from "./model-rounds.ts";
import { oddsByType } from "./recompute.ts";
import { world, type Player, type World } from "./world.ts";

const GAMES = [
  { key: "k3-1m", name: "One minute", periodS: 60, closeS: 3 },
  { key: "k3-3m", name: "Three minutes", periodS: 180, closeS: 5 },
];
/** The last Wednesday of a month, so that runs of some days see each period end. */
const START = Date.UTC(2026, 2, 25, 22);
/** With it, the same operations are the same story, dice included. */
const MASTER_KEY = "5e".repeat(32);
const DAY = 86_400_000;

/** A request that was answered under a key. */
export interface Answered {
  path: string;
  key: string;
  input: Record<string, string>;
  answer: string;
  at: number;
}

/** Somebody who plays: as the server knows them, as the model does, and what both have seen of each other. */
export interface Seat {
  player: Player;
  model: ModelMember;
  answered: Answered[];
  orders: { order: string; units: number; status: "waiting" | "paid" | "failed"; expiresAt: number }[];
  credits: { id: number; amount: number; reversible: boolean }[];
}

/** Compares what the server has with what the model says. */
function same(actual: unknown, told: unknown, what: string): void {
  if (isDeepStrictEqual(actual, told)) return;
  throw new Error(`${what}: the server has ${inspect(actual)}, the model ${inspect(told)}`);
}

/** A server and a model of it that live through the same steps. */
export class Play {
  readonly w: World;
  readonly reader: Reader;
  readonly seats: Seat[] = [];
  readonly games = GAMES.map(({ key, periodS, closeS }) => new ModelGame(key, periodS, closeS));
  /** What the model has written, as the database should count it. */
  readonly rows = { bets: 0, keys: 0, payouts: 0, transfers: 0, deposits: 0, replays: 0, outbox: 0 };
  /** How often each answer was given. */
  readonly heard = new Map<string, number>();
  #odds: Map<string, bigint>[] = [];
  #keys = 0;

  static async open(seats: number): Promise<Play> {
    const play = new Play(await world({ now: START, env: { MASTER_KEY } }));
    await play.#furnish(seats);
    return play;
  }

  private constructor(w: World) {
    this.w = w;
    this.reader = new Reader(w);
  }

  get operations(): number {
    return [...this.heard.values()].reduce((sum, count) => sum + count, 0);
  }

  newKey = (): string => `key-${++this.#keys}`;

  async close(): Promise<void> {
    this.reader.close();
    await this.w.close();
  }

  async step({ operations, clock }: Step): Promise<void> {
    const before = this.reader.wallets();
    // The model goes first: members do not depend on each other, so it knows every answer before anybody asks.
    const attempts = operations.map((operation, i) => attempt(this, this.seats[i]!, operation));
    const answers = await Promise.all(attempts.map(({ calls }) => Promise.all(calls.map((call) => call()))));
    for (const [i, { expected }] of attempts.entries()) {
      same(answers[i]!.sort(), expected.sort(), `the answers of seat ${i} to ${JSON.stringify(operations[i])}`);
    }
    this.#compare(before, attempts);
    await this.#turn(clock);
  }

  /** The end of it all: every row leads to the wallets, and every change can be found. */
  async end(): Promise<void> {
    await this.#turn({ turns: "by", ms: 600_000 });
    same(this.reader.faults(), [], "the ledger");
    same(this.reader.unindexed(), 0, "rows without an index");
    same(
      this.reader.gaps(),
      this.games.map(({ gaps }) => gaps),
      "gaps",
    );
  }

  /** After a round of operations: the wallets as the model says, untouched where it was no, and no row too many. */
  #compare(before: WalletRow[], attempts: Attempt[]): void {
    const after = this.reader.wallets();
    for (const [i, { expected, idle }] of attempts.entries()) {
      for (const answer of expected) {
        const name = answer.split(" ")[0]!;
        this.heard.set(name, (this.heard.get(name) ?? 0) + 1);
      }
      if (idle) same(after[i], before[i], `seat ${i} after ${expected.join()}`);
    }
    this.#compareBalances();
    const { limitChanges, ...rows } = this.reader.rows();
    same(rows, this.rows, "rows");
    const pending = this.seats.reduce((sum, { model }) => sum + model.pending.size, 0);
    same(limitChanges, pending, "loosenings to come");
    same(this.reader.ledgerSum(), 0, "the ledger's sum");
  }

  #compareBalances(): void {
    const now = this.reader.wallets().map(({ balance, version }) => [balance, version]);
    const told = this.seats.map(({ model }) => [model.balance, model.version]);
    same(now, told, "balances and versions");
  }

  async #turn(clock: Clock): Promise<void> {
    const { w } = this;
    if (clock.turns === "unseen") return w.pass(clock.ms);
    if (clock.turns === "restart") await w.restart();
    else w.pass(clock.turns === "by" ? clock.ms : Math.max(0, this.#goalOf(clock) - w.now()));
    await w.settle();
    for (const [i, game] of this.games.entries()) {
      const drawn = game.turn(w.now());
      if (!drawn) continue;
      const { data } = await w.call("/fair/round", { key: game.key, expect: drawn.expect }, { method: "GET" });
      this.rows.payouts += settle(drawn, data.opencode, this.#odds[i]!);
    }
    await this.#keepHouse();
    const { limitChanges: _, ...rows } = this.reader.rows();
    // What housekeeping forgets and the clock announces is not the model's business.
    const { keys, replays, outbox } = rows;
    Object.assign(this.rows, { keys, replays, outbox });
    same(rows, this.rows, "rows");
    this.#compareBalances();
    same(this.reader.ledgerSum(), 0, "the ledger's sum");
  }

  #goalOf(clock: Clock & { turns: "to" }): number {
    const now = this.w.now();
    if (clock.what === "midnight") return (Math.floor(now / DAY) + 1) * DAY - clock.short;
    const { periodMs, closeMs } = this.games[clock.what]!;
    const end = (Math.floor(now / periodMs) + 1) * periodMs;
    return end - (clock.end ? 0 : closeMs) - clock.short;
  }

  async #keepHouse(): Promise<void> {
    const now = this.w.now();
    let due = 0;
    for (const { model, orders } of this.seats) {
      due += model.pending.size;
      model.comeIntoForce(now);
      for (const order of orders) {
        if (order.status !== "waiting" || order.expiresAt > now) continue;
        order.status = "failed";
        due++;
      }
    }
    // It takes only so many at a time.
    for (let turns = 0; turns <= due / 50; turns++) await this.w.site.housekeeping.turn();
  }

  async #furnish(seats: number): Promise<void> {
    const { w } = this;
    for (const game of GAMES) await w.game(game);
    await w.deps.db.transact((tx) => tx.insert(plans).values(PLANS));
    for (let i = 0; i < seats; i++) {
      const player = await w.player(`seat_${i + 1}`, { balance: 100 * (i + 1) });
      const model = new ModelMember();
      model.change(10_000 * (i + 1));
      this.seats.push({ player, model, answered: [], orders: [], credits: [] });
    }
    for (const id of ["lot_1", "lot_2"]) {
      this.#odds.push(oddsByType((await w.call("/Lottery/getLotteryPeilv", { id }, { method: "GET" })).data));
    }
    await w.settle();
    for (const game of this.games) game.turn(w.now());
    const { limitChanges: _, ...rows } = this.reader.rows();
    Object.assign(this.rows, rows);
  }
}
