import { and, inArray } from "drizzle-orm";
import { sessions } from "#db/schema/session.ts";
import { RetryLog } from "#server/app/retry-log.ts";
import type { Deps } from "#server/app/deps.ts";
import { countdownView, listGamesNow } from "#server/domains/lottery/read-round.ts";
import { running } from "#server/domains/session/list-sessions.ts";
import { SteadyClock } from "#server/jobs/steady-clock.ts";
import { rooms } from "#shared/contract/events.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Hub } from "./socket.ts";
import { TURN_MS, type RunningHub } from "./watchers.ts";
import { emitToRoom } from "./emit.ts";

/** The interval of repeated countdowns between opening and closing. */
const COUNTDOWN_EVERY_MS = 10_000;
/** How often slow connections are looked for, and how much one may buffer. */
const LOOK_EVERY_MS = 5_000;
const MOST_PACKETS = 256;
const MOST_BYTES = 1_048_576;
/** How often the sessions of open sockets are looked at, and how many at a time. */
const SESSIONS_EVERY_MS = MINUTE_MS;
const SESSIONS_AT_ONCE = 500;

/**
 * Repeats the countdowns, drops clients that do not read what they are sent, and disconnects those whose session is over.
 * Returns how to stop.
 */
export function maintainHub({ io, watchers }: RunningHub, deps: Deps): () => void {
  const retryLog = new RetryLog(deps.log, "hub upkeep failed");
  const carefully = async (work: Promise<void>) => {
    try {
      await work;
      retryLog.recovered();
    } catch (error) {
      retryLog.failed(error);
    }
  };
  const countdowns = setInterval(() => void carefully(repeatCountdowns(io, deps)), COUNTDOWN_EVERY_MS);
  const turns = setInterval(() => void carefully(watchers.turn()), TURN_MS);
  const slow = setInterval(() => dropSlow(io, deps), LOOK_EVERY_MS);
  const steady = new SteadyClock(deps.clock);
  const ended = setInterval(() => steady.isBelieved && void carefully(dropEnded(io, deps)), SESSIONS_EVERY_MS);
  return () => {
    clearInterval(ended);
    clearInterval(countdowns);
    clearInterval(turns);
    void deps.background.run(watchers.leave(), "the other processes were not told of leaving");
    clearInterval(slow);
  };
}

async function repeatCountdowns(io: Hub, deps: Deps): Promise<void> {
  for (const game of await listGamesNow(deps.db.read)) {
    const room = rooms.game(game.key);
    if (!io.sockets.adapter.rooms.has(room)) continue;
    await emitToRoom(io, room, "lottery:countdown", countdownView(game, deps.clock.now()));
  }
}

/** Disconnects sockets whose session a handshake would refuse: nothing tells that one ended by time. */
async function dropEnded(io: Hub, { db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">): Promise<void> {
  const open = [...io.sockets.sockets.values()].flatMap(({ data }) => data.caller?.sessionId ?? []);
  const ids = [...new Set(open)];
  for (let from = 0; from < ids.length; from += SESSIONS_AT_ONCE) {
    const some = ids.slice(from, from + SESSIONS_AT_ONCE);
    const rows = await db.read
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.id, some), running(settings, clock.now())));
    const known = new Set(rows.map(({ id }) => id));
    for (const id of some) if (!known.has(id)) io.in(rooms.session(id)).disconnectSockets(true);
  }
}

/** engine.io's buffers of a connection. */
interface EngineConnection {
  writeBuffer: unknown[];
  transport: { socket?: { bufferedAmount?: number; terminate?: () => void } };
}

export function dropSlow(io: Hub, { log }: Pick<Deps, "log">): void {
  for (const { id, conn } of io.sockets.sockets.values()) {
    const { writeBuffer, transport } = conn as unknown as EngineConnection;
    if (writeBuffer.length < MOST_PACKETS && (transport.socket?.bufferedAmount ?? 0) < MOST_BYTES) continue;
    log.warn({ socket: id }, "a slow client was dropped");
    // A normal close would wait for the very bytes that do not drain.
    if (transport.socket?.terminate) transport.socket.terminate();
    else conn.close(true);
  }
}
