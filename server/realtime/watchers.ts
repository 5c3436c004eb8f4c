import { randomUUID } from "node:crypto";
import type { Deps } from "#server/app/deps.ts";
import { rooms } from "#shared/contract/events.ts";
import { emitToRoom } from "./emit.ts";
import type { Hub, SocketsByMember } from "./socket.ts";

/** How often processes tell each other. One that was silent for so many turns counts no more: within 15 s. */
export const TURN_MS = 5_000;
const SILENT_TURNS = 2;
/** The games of one message, the most watched first: their keys fit into what a process may mention. */
const MOST_GAMES = 100;

/** What a process mentions: how many of its sockets watch each game. */
interface Said {
  from: string;
  watch: [key: string, sockets: number][];
}

/** What a running hub has: its sockets, by member too, and the count of who watches. */
export interface RunningHub {
  io: Hub;
  byMember: SocketsByMember;
  watchers: Watchers;
}

/** How many sockets watch each game, over all processes. Watchers are told when it changes, at most once a turn. */
export class Watchers {
  readonly #io: Hub;
  readonly #deps: Pick<Deps, "db" | "bus">;
  readonly #self = randomUUID();
  readonly #others = new Map<string, { silent: number; watch: Map<string, number> }>();
  #told = new Map<string, number>();
  /** The last turn said that nothing is watched here: on an empty site nobody says it again. */
  #isQuiet = true;

  constructor(io: Hub, deps: Pick<Deps, "db" | "bus">) {
    this.#io = io;
    this.#deps = deps;
    deps.bus.on("process.mentioned", (text) => this.#hear(JSON.parse(text) as Said));
  }

  /** The sockets that watch a game: this process's as they are now, the others' as they last said. */
  of(key: string): number {
    const others = [...this.#others.values()].map(({ watch }) => watch.get(key) ?? 0);
    return others.reduce((sum, sockets) => sum + sockets, this.#here(key));
  }

  /** Forgets silent processes, tells watchers here what has changed, and the other processes what is watched here. */
  async turn(): Promise<void> {
    for (const [from, other] of this.#others) if (other.silent++ >= SILENT_TURNS) this.#others.delete(from);
    const ofGames = [...this.#io.sockets.adapter.rooms.keys()].filter((room) => room.startsWith(rooms.game("")));
    const keys = ofGames.map((room) => room.slice(rooms.game("").length));
    const told = this.#told;
    this.#told = new Map(keys.map((key) => [key, this.of(key)]));
    for (const [key, screens] of this.#told)
      if (told.get(key) !== screens) await emitToRoom(this.#io, rooms.game(key), "lottery:watching", { key, screens });
    const watch = keys.map((key): [string, number] => [key, this.#here(key)]);
    if (watch.length === 0 && this.#isQuiet) return;
    this.#isQuiet = watch.length === 0;
    await this.#say(watch.toSorted(([, one], [, two]) => two - one).slice(0, MOST_GAMES));
  }

  /** This process serves nobody any more: its sockets are about to connect to others. */
  leave(): Promise<void> {
    return this.#say([]);
  }

  #here(key: string): number {
    return this.#io.sockets.adapter.rooms.get(rooms.game(key))?.size ?? 0;
  }

  #say(watch: Said["watch"]): Promise<void> {
    return this.#deps.db.mention(JSON.stringify({ from: this.#self, watch } satisfies Said));
  }

  #hear({ from, watch }: Said): void {
    if (from !== this.#self) this.#others.set(from, { silent: 0, watch: new Map(watch) });
  }
}
