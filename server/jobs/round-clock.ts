import type { Deps } from "#server/deps.ts";
import { advanceGame, nextTurn, unsettledRounds } from "#server/domains/lottery/advance.ts";
import type { BetBook } from "#server/domains/lottery/bet-book.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import type { Seeds } from "#server/domains/lottery/seeds.ts";
import { settleRound } from "#server/domains/lottery/settle-round.ts";

/** Games that were added or resumed meanwhile are found this soon at the latest. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Keeps all games on time. Any number of processes may run it: each step is a
 * conditional write. Settling goes on beside the clock, one round after another.
 */
export class RoundClock {
  readonly #deps: Deps;
  readonly #seeds: Seeds;
  readonly #book: BetBook;
  /** Rounds that this process drew and has not settled yet. */
  readonly #drawn = new Set<number>();
  /** Whatever lies there at the start may have lost its process. */
  #isFirst = true;
  #settling: Promise<void> | null = null;

  constructor(deps: Deps, seeds: Seeds, book: BetBook) {
    this.#deps = deps;
    this.#seeds = seeds;
    this.#book = book;
  }

  /** Brings every game up to the clock. Returns how many milliseconds there is nothing to do. */
  async turn(): Promise<number> {
    const { db, clock } = this.#deps;
    let next = clock.now() + LOOK_AGAIN_MS;
    for (const game of await listGames(db.read)) {
      await publishAnchors(this.#deps, this.#seeds, game);
      await advanceGame(this.#deps, this.#seeds, game, (drawn) => {
        for (const roundId of drawn) this.#drawn.add(roundId);
        this.#beginSettling();
      });
      next = Math.min(next, nextTurn(game, clock.now()));
    }
    this.#beginSettling();
    return next - clock.now();
  }

  #beginSettling(): void {
    void this.settle().catch((error: unknown) => this.#deps.log.error({ err: error }, "settling failed"));
  }

  /** Settles whatever is drawn; resolves when nothing is left. Called again meanwhile, it is the same work. */
  settle(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    for (;;) {
      const [oldest] = await unsettledRounds(this.#deps, this.#isFirst ? undefined : this.#drawn);
      if (oldest === undefined) break;
      await settleRound(this.#deps, this.#book, oldest);
      this.#drawn.delete(oldest);
    }
    this.#isFirst = false;
  }
}
