import type { Deps } from "#server/app/deps.ts";
import { advanceGames, nextDueAt, unsettledRounds, type Advancing } from "#server/domains/lottery/advance.ts";
import type { BetBook } from "#server/domains/lottery/bet-book.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import type { Range, ReasonsOf } from "#server/domains/lottery/gaps.ts";
import { signatureFor } from "#server/domains/lottery/beacons.ts";
import { allBeaconChanges } from "#server/domains/lottery/read-beacon-changes.ts";
import { LATE_BEACON_MS } from "#server/domains/lottery/read-round.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import type { Seeds } from "#server/domains/lottery/seeds.ts";
import { drandMode } from "#shared/lottery/beacon.ts";
import { mayBeSettled, settleRound } from "#server/domains/lottery/settle-round.ts";
import { ordinalOf, placeOf, spanOf } from "#shared/lottery/schedule.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { Retries } from "./retries.ts";
import { ClockWatch } from "./clock-watch.ts";

/** Added or resumed games are found within this time. */
const LOOK_AGAIN_MS = 1_000;

/** Adds a place to the latest ones in a row. */
function lengthen(rows: Map<number, Range>, game: Game, at: number): void {
  const row = rows.get(game.id);
  if (row?.to === at) return;
  rows.set(game.id, { from: row?.to === at - 1 ? row.from : at, to: at });
}

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
  /** The latest places in a row of each game that this process was there to open. */
  readonly #waited = new Map<number, Range>();
  /** The latest places in a row of each game that this process did not open, because its clock was wrong. */
  readonly #refused = new Map<number, Range>();
  /** The minute in which each game's anchors were last found complete. */
  readonly #anchored = new Map<number, number>();
  /** Whether rounds have a beacon, or are to have one. */
  #watched = false;
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
      signatureFor: (rule) => signatureFor(deps.beacons, rule),
      onWaiting: ({ id, gameId, drawsAt }) => {
        if (this.#deps.clock.now() >= drawsAt + LATE_BEACON_MS)
          this.#deps.bus.emit("round.waits", { gameId, roundId: id });
      },
      mayOpen: (game, place) => this.#mayOpen(game, ordinalOf(game, place)),
      onDrawn: (roundId) => {
        this.#drawn.add(roundId);
        this.#beginSettling();
      },
      onOpening: (game, place) => this.#wait(game, ordinalOf(game, place)),
      reasonsOf: (game, missed) => this.#explain(game, missed),
      anchor: (game) => this.#anchor(game),
    };
  }

  /** Remembers the places in a row that this process was there to open. */
  #wait(game: Game, at: number): void {
    lengthen(this.#waited, game, at);
  }

  /** Compares the clock with the newest beacon while any game's rounds have one, or are to have one. */
  async #lookAtBeacons(): Promise<void> {
    const changes = await allBeaconChanges(this.#deps.db.read).execute();
    const last = new Map(changes.map(({ gameId, mode }) => [gameId, mode]));
    const { beacons } = this.#deps;
    const chain = beacons.chains.find((one) => [...last.values()].includes(drandMode(one)));
    this.#watched = chain !== undefined;
    if (chain) beacons.look(chain);
  }

  /**
   * Whether the clock is known to be wrong by the newest beacon: then nothing is opened. At the start it waits until the
   * relays were asked.
   */
  #mayOpen(game: Game, at: number): boolean {
    const { beacons } = this.#deps;
    if (!this.#watched || (beacons.hasLooked && beacons.clockOffByMs === 0)) return true;
    if (beacons.hasLooked) lengthen(this.#refused, game, at);
    return false;
  }

  /** A round that this process kept from opening because its clock was wrong. */
  #explain(game: Game, { from, to }: Range): ReturnType<ReasonsOf> {
    const refused = this.#refused.get(game.id);
    if (!refused || refused.to < from || refused.from > to) return this.#explainOther(game, { from, to });
    const [first, last] = [Math.max(from, refused.from), Math.min(to, refused.to)];
    return [
      ...(first > from ? this.#explainOther(game, { from, to: first - 1 }) : []),
      { from: first, to: last, reason: "clock" },
      ...(last < to ? this.#explainOther(game, { from: last + 1, to }) : []),
    ];
  }

  /** A round that this process was there to open, and could not, is late. */
  #explainOther(game: Game, { from, to }: Range): ReturnType<ReasonsOf> {
    const waited = this.#waited.get(game.id) ?? { from: to + 1, to };
    const first = Math.min(Math.max(from, waited.from), to + 1);
    const behind = Math.max(first, Math.min(to, waited.to) + 1);
    const otherwise = (at: number) =>
      this.watch.jumpedOver(spanOf(game, placeOf(game, at)).opensAt) ? "clock" : "down";
    const parts = [
      { from, to: first - 1, reason: otherwise(from) },
      { from: first, to: behind - 1, reason: "late" },
      { from: behind, to, reason: otherwise(behind) },
    ] as const;
    return parts.filter((part) => part.from <= part.to);
  }

  /** How many steps failed and wait for a retry. */
  get failing(): number {
    return this.#retries.failing;
  }

  /** Brings every game up to the clock. Returns how many milliseconds there is nothing to do. */
  async tick(): Promise<number> {
    const { db, clock } = this.#deps;
    await this.watch.look();
    await this.#lookAtBeacons();
    const games = await listGames(db.read);
    let next = clock.now() + LOOK_AGAIN_MS;
    await advanceGames(this.#deps, this.#seeds, games, this.#advancing);
    for (const game of games) next = Math.min(next, await nextDueAt(this.#deps, game, clock.now()));
    this.#beginSettling();
    return next - clock.now();
  }

  /** Publishes missing anchors of the coming days, and looks for them once a minute: a database that fails over may lose some. */
  async #anchor(game: Game): Promise<void> {
    const minute = Math.floor(this.#deps.clock.now() / MINUTE_MS);
    if (this.#anchored.get(game.id) === minute) return;
    await this.#retries.run(`anchors ${game.key}`, async () => {
      await publishAnchors(this.#deps, this.#seeds, game);
      this.#anchored.set(game.id, minute);
    });
  }

  #beginSettling(): void {
    void this.#deps.background.run(this.settle(), "settling failed");
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
        if (!(await mayBeSettled(this.#deps, oldest))) return;
        await settleRound(this.#deps, this.#book, oldest);
        this.#drawn.delete(oldest);
      });
      await this.#stateSettled();
    }
    this.#isFirst = false;
  }

  /** What fails here is stated later, by any process. */
  async #stateSettled(): Promise<void> {
    const { publicLog, background } = this.#deps;
    await background.run(publicLog.stateSettled(), "the log stated no payouts");
  }
}
