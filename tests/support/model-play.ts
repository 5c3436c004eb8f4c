import type { WalletRow } from "./model-books.ts";
import { Reader, type Rows } from "./model-checks.ts";
import { attempt } from "./model-attempts.ts";
import { same, wait } from "./model-alike.ts";
import { turn } from "./model-clock.ts";
import type { Operation, Step } from "./model-operations.ts";
import { ModelGame } from "./model-rounds.ts";
import { furnish, seatOf } from "./model-seats.ts";
import type { Attempt, Play, Seat } from "./model-interfaces.ts";
import { oddsByType, type WireOdds } from "./recompute.ts";
import { world, type World } from "./world.ts";

const GAMES = [
  { key: "k3-1m", name: "One minute", periodS: 60, closeS: 3 },
  { key: "k3-3m", name: "Three minutes", periodS: 180, closeS: 5 },
];
/** The last Wednesday of a month, so that runs of some days see each period end. */
const START = Date.UTC(2026, 2, 25, 22);
/** Fixed, so that the same operations give the same story, dice included. */
const MASTER_KEY = "5e".repeat(32);
/** How many steps lie between two runs of the operator's whole audit. */
const AUDIT_EVERY = 125;

/** A server and its model, taken through the same steps. */
export class Playthrough implements Play {
  readonly w: World;
  readonly reader: Reader;
  readonly seats: Seat[] = [];
  readonly games = GAMES.map(({ key, periodS, closeS }) => new ModelGame(key, periodS, closeS));
  readonly odds: WireOdds[] = [];
  /** The rows that the model expects in each table. */
  readonly rows = {} as Rows;
  /** How often each answer was given. */
  readonly answers = new Map<string, number>();
  prunedAt = 0;
  #keys = 0;
  #steps = 0;

  static async open(seats: number): Promise<Playthrough> {
    const w = await world({ now: START, env: { MASTER_KEY, LOG_LEVEL: "warn" } });
    const play = new Playthrough(w, await Reader.open(w));
    await play.#furnish(seats);
    return play;
  }

  private constructor(w: World, reader: Reader) {
    this.w = w;
    this.reader = reader;
  }

  get operations(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  newKey = (): string => `key-${++this.#keys}`;

  async close(): Promise<void> {
    await this.reader.close();
    await this.w.close();
  }

  async step({ operations, clock }: Step): Promise<void> {
    const before = await this.reader.wallets();
    // The model goes first: members do not depend on each other, so it can predict every answer.
    const attempts = operations.map((operation, i) => attempt(this, this.seats[i]!, operation));
    if (clock.turns === "crash" && clock.during === "requests") await this.#cutOff(attempts, clock.after);
    const answers = await Promise.all(attempts.map(({ calls }) => Promise.all(calls.map((call) => call()))));
    for (const [i, { expected }] of attempts.entries()) {
      same(answers[i]!.sort(), expected.sort(), `the answers of seat ${i} to ${JSON.stringify(operations[i])}`);
    }
    await this.#compareAfter(before, attempts, operations);
    await turn(this, clock);
    if (++this.#steps % AUDIT_EVERY === 0) same(await this.reader.audit(), [], "the audit");
  }

  /** Compares everything that can be compared while no request is under way. */
  async compare(): Promise<void> {
    const wallets = await this.reader.wallets();
    const now = wallets.map(({ balance, version }) => [balance, version]);
    const outcome = this.seats.map(({ model }) => [model.balance, model.version]);
    same(now, outcome, "balances and versions");
    same(await this.reader.books.faults(wallets), [], "the ledger");
    const held = this.seats.reduce((sum, { savings }) => sum + savings.held, 0);
    same(this.reader.books.held, held, "what is held");
    const { limitChanges, ...rows } = await this.reader.rows();
    same({ ...rows, limitChanges }, { ...this.rows, limitChanges: this.pending }, "rows");
  }

  /** Raised limits that are not in force yet. */
  get pending(): number {
    return this.seats.reduce((sum, { model }) => sum + model.pending.size, 0);
  }

  /** Sends the requests that have a key, and kills the server meanwhile. Sent again, each still counts once. */
  async #cutOff(attempts: Attempt[], after: number): Promise<void> {
    const calls = attempts.flatMap(({ again, calls }) => (again ? calls : []));
    const cut = Promise.allSettled(calls.map((call) => call()));
    await wait(after);
    await this.reader.cutOff();
    await this.w.crash();
    await cut;
  }

  /** After the operations: wallets match the model, a refusal changed none, and no table has a row too many. */
  async #compareAfter(before: WalletRow[], attempts: Attempt[], operations: Operation[]): Promise<void> {
    const after = await this.reader.wallets();
    for (const [i, { expected, idle }] of attempts.entries()) {
      for (const answer of expected) {
        const name = `${operations[i]!.does} ${answer.split(" ")[0]!}`;
        this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
      }
      if (idle) same(after[i], before[i], `seat ${i} after ${expected.join()}`);
    }
    await this.compare();
  }

  async #furnish(seats: number): Promise<void> {
    const { w } = this;
    for (const game of GAMES) await w.game(game);
    await furnish(w);
    for (let i = 0; i < seats; i++) this.seats.push(await seatOf(w, i));
    for (const id of ["lot_1", "lot_2"]) {
      this.odds.push(oddsByType((await w.call("/Lottery/getLotteryPeilv", { id }, { method: "GET" })).data));
    }
    await w.settle();
    for (const game of this.games) game.turn(w.now());
    Object.assign(this.rows, await this.reader.rows());
    await this.compare();
  }
}
