import type { RunningHub } from "./watchers.ts";
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { games, logRounds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { cosignedNote } from "#server/domains/log/read-cosigned.ts";
import {
  newestTold,
  proveConsistency,
  proveInclusion,
  readLeaves,
  type ToldHead,
} from "#server/domains/log/read-log.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { rooms, type ToldClosing } from "#shared/contract/events.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { emitToRoom } from "./emit.ts";

/** Closings that are read at once: thousands of rounds may wait for a beacon that is away. */
const AT_ONCE = 500;

interface WaitingRound {
  id: number;
  game: string;
  expect: string;
}

/** Tells a game's watchers the head that says which bets of a round count, before the round is drawn. */
export class Closings {
  readonly #hub: RunningHub;
  readonly #deps: Deps;
  /** Rounds that wait for their draws, and were told. */
  #told = new Set<number>();
  /** The size of the head that each game's watchers were told last. */
  readonly #sizes = new Map<string, number>();
  /** The log that the sizes are of. */
  #log = 0;
  /** The size of the head, signed by a witness, that they were told after it. */
  readonly #covered = new Map<string, number>();
  #tail: Promise<void> = Promise.resolve();

  constructor(hub: RunningHub, deps: Deps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  listen(): void {
    const { bus, background } = this.#deps;
    bus.on("log.head", (head) => {
      const told = this.#tail.then(() => this.#tell(head.log));
      this.#tail = background.run(told, "a head of the log could not be sent to the sockets");
    });
    bus.on("log.cosigned", (head) => {
      const told = this.#tail.then(() => this.#tellCosigned(head));
      this.#tail = background.run(told, "a cosigned head could not be sent to the sockets");
    });
  }

  /** Tells a game's watchers the first signatures of witnesses that cover the closing which they were told last. */
  async #tellCosigned({ log, size }: { log: number; size: number }): Promise<void> {
    const isNews = ([game, told]: [string, number]) => {
      const covered = this.#covered.get(game) ?? 0;
      // Another witness signs the same head.
      return told <= size && (covered < told || covered === size);
    };
    const games = [...this.#sizes].filter(isNews).map(([game]) => game);
    const head = games.length > 0 ? await cosignedNote(this.#deps.db.read, log, size) : null;
    if (head === null) return;
    for (const game of games) {
      this.#covered.set(game, size);
      await emitToRoom(this.#hub.io, rooms.game(game), "fair:cosigned", { head });
    }
  }

  /** A log begins, at the start or after a loss: no proof leads to it from the sizes of another one. */
  #begin(log: number): void {
    this.#log = log;
    this.#sizes.clear();
    this.#covered.clear();
  }

  async #tell(log: number): Promise<void> {
    const { read } = this.#deps.db;
    if (log !== this.#log) this.#begin(log);
    const head = await newestTold(read);
    if (head === null) return;
    const isWaiting = and(isNotNull(logRounds.betsRoot), isNull(rounds.drawnAt), isNull(rounds.skippedAt));
    const waiting = await read
      .select({ id: rounds.id, day: rounds.day, number: rounds.number, game: games.key })
      .from(logRounds)
      .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
      .innerJoin(games, eq(games.id, rounds.gameId))
      .where(isWaiting)
      // In this order, SQLite does not read all rounds for the few that wait.
      .orderBy(asc(logRounds.roundId));
    const ids = new Set(waiting.map(({ id }) => id));
    this.#told = new Set([...this.#told].filter((id) => ids.has(id)));
    const news = waiting
      .filter(({ id }) => !this.#told.has(id))
      .map(({ id, game, ...place }) => ({ id, game, expect: roundText(place) }));
    for (let at = 0; at < news.length; at += AT_ONCE) await this.#tellSome(log, head, news.slice(at, at + AT_ONCE));
  }

  async #tellSome(log: number, head: ToldHead, rounds: readonly WaitingRound[]): Promise<void> {
    const { read } = this.#deps.db;
    const keyOf = ({ game, expect }: WaitingRound) => keyOfRound("close", { game, round: expect });
    const leaves = await readLeaves(read, rounds.map(keyOf));
    for (const round of rounds) {
      const { id, game, expect } = round;
      const leaf = leaves.get(keyOf(round));
      if (leaf?.number == null || leaf.number >= head.size) continue;
      const path = await proveInclusion(read, log, leaf.number, head.size);
      const from = this.#sizes.get(game);
      const told: ToldClosing = {
        key: game,
        expect,
        head: head.note,
        close: { leaf: leaf.text, number: leaf.number },
        path,
        consistency: from === undefined ? null : await proveConsistency(read, log, from, head.size),
      };
      this.#told.add(id);
      this.#sizes.set(game, head.size);
      await emitToRoom(this.#hub.io, rooms.game(game), "fair:head", told);
    }
  }
}
