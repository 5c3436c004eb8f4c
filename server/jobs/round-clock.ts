import type { Deps } from "#server/app/deps.ts";
import { advanceGame, nextDueAt, unsettledRounds, type Advancing } from "#server/domains/lottery/advance.ts";
import type { BetBook } from "#server/domains/lottery/bet-book.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import type { Seeds } from "#server/domains/lottery/seeds.ts";
import { settleRound } from "#server/domains/lottery/settle-round.ts";
import { spanOf } from "#shared/lottery/schedule.ts";
import { Retries } from "./retries.ts";
import { ClockWatch } from "./clock-watch.ts";

/** Added or resumed games are found within this time. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Keeps all games on time. Any number of processes may run it: each step is a conditional write. A failed step is
 * retried later and holds up no other round or game. Settling runs beside the clock, one round after another.
 */
export class RoundClock {
  readonly #deps: Deps;
  readonly #seeds: Seeds;
  readonly #book: BetBook;
  readonly #retries: Retries;
  readonly #advancing: Advancing;
  /** Whether the clock goes right. */
  readonly watch: ClockWatch;
  /** Rounds that this process drew and has not settled yet. */
  readonly #drawn = new Set<number>();
  /** The first pass settles every drawn round: its process may have crashed. */
  #isFirst = true;
  #settling: Promise<void> | null = null;

  constructor(deps: Deps, seeds: Seeds, book: BetBook) {
    this.#deps = deps;
    this.#seeds = seeds;
    this.#book = book;
    this.#retries = new Retries(deps);
    this.watch = new ClockWatch(deps);
    this.#advancing = {
      attempt: (name, work) => this.#retries.run(name, work),
      onDrawn: (roundId) => {
        this.#drawn.add(roundId);
        this.#beginSettling();
      },
      reasonOf: (game, first) => (this.watch.jumpedOver(spanOf(game, first).opensAt) ? "clock" : "down"),
    };
  }

  /** How many steps failed and wait for a retry. */
  get failing(): number {
    return this.#retries.failing;
  }

  /** Brings every game up to the clock. Returns how many milliseconds there is nothing to do. */
  async tick(): Promise<number> {
    const { db, clock } = this.#deps;
    await this.watch.look();
    let next = clock.now() + LOOK_AGAIN_MS;
    for (const game of await listGames(db.read)) {
      await this.#retries.run(`anchors ${game.key}`, () => publishAnchors(this.#deps, this.#seeds, game));
      await advanceGame(this.#deps, this.#seeds, game, this.#advancing);
      next = Math.min(next, nextDueAt(game, clock.now()));
    }
    this.#beginSettling();
    return next - clock.now();
  }

  #beginSettling(): void {
    void this.settle().catch((error: unknown) => this.#deps.log.error({ err: error }, "settling failed"));
  }

  /** Settles every drawn round; resolves when only failed rounds are left. A second call joins the running one. */
  settle(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    const nameOf = (roundId: number) => `settle ${roundId}`;
    for (;;) {
      const due = await unsettledRounds(this.#deps, this.#isFirst ? undefined : this.#drawn);
      const oldest = due.find((roundId) => this.#retries.isDue(nameOf(roundId)));
      if (oldest === undefined) break;
      await this.#retries.run(nameOf(oldest), async () => {
        await settleRound(this.#deps, this.#book, oldest);
        this.#drawn.delete(oldest);
      });
    }
    this.#isFirst = false;
  }
}
