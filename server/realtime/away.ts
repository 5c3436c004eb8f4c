import type { Deps } from "#server/app/deps.ts";
import { apart } from "#server/app/log.ts";
import type { AwayReason } from "#shared/contract/events.ts";
import type { Hub, HubSocket } from "./socket.ts";
import { inBatches, emitJson } from "./emit.ts";

/** How often an idle database is pinged, and when a refused client may retry. */
const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_S = 1;

const payloadOf = (reason: AwayReason) => ({ reason, retry_after_s: RETRY_AFTER_S });

/**
 * Tells all sockets of this process when the database goes away and when it is back; they stay open. A socket that
 * connects in between is told too. Returns how to stop.
 */
export function watchDatabase(io: Hub, { db, bus, log }: Pick<Deps, "db" | "bus" | "log">): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const greet = (socket: HubSocket) => {
    const reason = db.away();
    if (reason) socket.emit("server:away", payloadOf(reason));
  };

  async function broadcast(reason: AwayReason | null, cause?: unknown): Promise<void> {
    const [event, payload] = reason ? (["server:away", payloadOf(reason)] as const) : (["server:back", {}] as const);
    // Only the operator can end it.
    if (reason === "lost") log.error({ err: cause, reason }, "the database is away: say that it was restored");
    else if (reason) log.warn({ err: cause, reason }, "the database is away");
    else {
      log.warn("the database is back");
      // Settings changed during the outage could not be read then: reload them.
      bus.emit("site.changed", { names: [] });
    }
    const json = JSON.stringify(payload);
    await inBatches(io.sockets.sockets.values(), (socket) => emitJson(socket, event, json));
  }

  /** `db.onAway` reports what fails here. */
  async function look(): Promise<void> {
    await db.ping().catch(() => {});
    if (!isStopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  io.on("connection", greet);
  // Whichever request found out: it is everybody's news.
  const stopListening = db.onAway((reason, cause) => void apart(() => broadcast(reason, cause)));
  const already = db.away();
  if (already) void broadcast(already);
  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stopListening();
    io.off("connection", greet);
  };
}
