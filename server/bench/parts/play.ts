import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import { betBookOf, type BetBook, type BetOrder } from "#server/domains/lottery/bet-book.ts";
import { drawRound } from "#server/domains/lottery/draw-round.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { settleRound } from "#server/domains/lottery/settle-round.ts";
import { DEFAULT_KIND, rulesOf } from "#shared/lottery/games.ts";
import { maskOf } from "#shared/lottery/rules.ts";
import type { Site } from "#server/app/site.ts";
import { nowMs } from "#server/bench/measure.ts";

const BATCH = 500;
const STAKE = 100;
/** How often a process looks whether another has drawn. */
const LOOK_MS = 2;
/** Big, small, odd, even: whatever is drawn, half of those who bet on one of them win. */
const EVEN_CHANCES = ["A", "B", "C", "D"].map((type) => maskOf(rulesOf(DEFAULT_KIND), [type]));

/** How long settling took, in ms. */
export interface Settled {
  /** Committing the draw row. */
  drawMs: number;
  /** From then until the last member is credited, and until all is indexed. */
  creditMs: number;
  indexMs: number;
  /** The longest delay of the main event loop. */
  blockMs: number;
}

/** Plays the rounds of a server's game and sets its clock by hand. */
export class Play {
  readonly #site: Site;
  readonly #hand: Float64Array;
  readonly #game: string | undefined;
  readonly #book: BetBook;
  readonly #seeds: Seeds;

  /** `game`: the key of the game whose rounds are played. */
  constructor(site: Site, hand: Float64Array, game: string | undefined) {
    this.#site = site;
    this.#hand = hand;
    this.#game = game;
    this.#book = betBookOf(site.deps.db);
    this.#seeds = new Seeds(site.deps.keys);
  }

  /** The members 1..`members` each bet `each` times on the open round. */
  async bet(members: number, each: number, after: (taken: number) => Promise<void> = async () => {}): Promise<void> {
    const { round } = await this.#current();
    const total = members * each;
    for (let from = 0; from < total; from += BATCH) {
      const size = Math.min(BATCH, total - from);
      await this.#book.place(Array.from({ length: size }, (_, i) => orderOf(round.id, from + i, members)));
      await after(from + size);
    }
  }

  /** When the open round closes and is drawn. */
  async due(): Promise<{ closesAt: number; drawsAt: number }> {
    const { closesAt, drawsAt } = (await this.#current()).round;
    return { closesAt, drawsAt };
  }

  /** Sets the clock to the time of another process. */
  follow(ms: number): void {
    this.#hand[0] = ms;
  }

  /** Lets the clock go on by itself from here. */
  run(): void {
    const [from, startedMs] = [this.#hand[0]!, nowMs()];
    setInterval(() => this.follow(from + Math.floor(nowMs() - startedMs)), 1).unref();
  }

  /** Sets the clock to the round's closing time, and closes the round. */
  async close(): Promise<void> {
    this.#hand[0] = (await this.#current()).round.closesAt;
    await this.#site.rounds.tick();
  }

  /** Draws the closed round. Returns the time at which the draw began. */
  async draw(): Promise<number> {
    this.#hand[0] = (await this.#current()).round.drawsAt;
    const begunMs = nowMs();
    await this.#site.rounds.tick();
    return begunMs;
  }

  /** Resolves when all that is drawn is settled and indexed. */
  settled(): Promise<void> {
    return this.#site.rounds.settle();
  }

  async nextRound(): Promise<void> {
    await this.close();
    await this.draw();
    await this.settled();
  }

  /** Closes, draws and settles the round, and times each step. */
  async settle(): Promise<Settled> {
    await this.close();
    const { deps, rounds } = this.#site;
    const { game, round } = await this.#current();
    this.#hand[0] = round.drawsAt;
    this.#seeds.commitOf(game, round);
    let creditedMs = 0;
    const hear = () => {
      creditedMs = nowMs();
    };
    deps.bus.on("round.credited", hear);
    // Garbage from placing the bets must not count as settling.
    globalThis.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const begunMs = nowMs();
    await deps.db.transact((tx) => drawRound(tx, deps, this.#seeds, game, round, ""));
    const drawnMs = nowMs();
    await settleRound(deps, this.#book, round.id);
    const indexedMs = nowMs();
    delay.disable();
    deps.bus.off("round.credited", hear);
    await rounds.tick();
    const blockMs = Math.max(0, delay.max / 1e6 - 1);
    return { drawMs: drawnMs - begunMs, creditMs: creditedMs - drawnMs, indexMs: indexedMs - creditedMs, blockMs };
  }

  /** Settles the next round that another process draws, beside it. */
  async share(): Promise<void> {
    const { deps } = this.#site;
    const isDrawn = and(isNotNull(rounds.drawnAt), isNull(rounds.indexedAt));
    for (;;) {
      const [round] = await deps.db.read.select({ id: rounds.id }).from(rounds).where(isDrawn).limit(1);
      if (round) return settleRound(deps, this.#book, round.id);
      await setTimeout(LOOK_MS);
    }
  }

  async #current(): Promise<{ game: Game; round: typeof rounds.$inferSelect }> {
    const { read } = this.#site.deps.db;
    const game = (await listGames(read)).find(({ key }) => key === this.#game);
    const undrawn = and(eq(rounds.gameId, game?.id ?? 0), isNull(rounds.drawnAt));
    const [round] = await read.select().from(rounds).where(undrawn).orderBy(desc(rounds.id)).limit(1);
    if (!game || !round) throw new Error("there is no round to bet on");
    return { game, round };
  }
}

function orderOf(roundId: number, place: number, members: number): BetOrder {
  const mask = EVEN_CHANCES[place % EVEN_CHANCES.length]!;
  return { memberId: (place % members) + 1, roundId, mask, stake: STAKE, total: STAKE, key: null, requestHash: "" };
}
