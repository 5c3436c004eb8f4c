import type { Deps } from "#server/deps.ts";
import type { Hub, HubSocket } from "./hub.ts";
import { inTurns, say } from "./say.ts";

const LOOK_EVERY_MS = 1_000;

/**
 * Tells all sockets of this process when the database goes and when it is back; they stay open meanwhile. Whoever comes
 * in between is told too. Returns how to stop.
 */
export function watchDatabase(io: Hub, { db, bus, log }: Pick<Deps, "db" | "bus" | "log">): () => void {
  let away: 0 | 1 = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const greet = (socket: HubSocket) => {
    if (away) socket.emit("server:away", { away });
  };

  async function turn(error?: unknown): Promise<void> {
    away = error === undefined ? 0 : 1;
    if (away) log.warn({ err: error }, "the database is away");
    else {
      log.warn("the database is back");
      // Whoever heard of a change while nothing could be read has not read it.
      bus.emit("site.changed", { names: [] });
    }
    const said = JSON.stringify({ away });
    await inTurns(io.sockets.sockets.values(), (socket) => say(socket, "server:away", said));
  }

  async function look(): Promise<void> {
    try {
      await db.ping();
      if (away) await turn();
    } catch (error) {
      if (!away && !isStopped) await turn(error);
    }
    if (!isStopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  io.on("connection", greet);
  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    io.off("connection", greet);
  };
}
