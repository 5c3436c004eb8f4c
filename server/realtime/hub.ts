import type { EventEmitter } from "node:events";
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server } from "socket.io";
import type { Deps } from "#server/app/deps.ts";
import { rooms } from "#shared/contract/events.ts";
import { clientAddressOf, type IsProxy } from "#server/config/trusted-proxies.ts";
import type { Hub, HubSocket, RunningHub, SocketsByMember } from "./socket.ts";
import { admit } from "./admit.ts";
import { watchGames } from "./watch.ts";

/** The longest message a client may send, in bytes. */
const LONGEST_MESSAGE = 16_384;
/**
 * The heartbeat. Watchers get a countdown every ten seconds, so it serves those who watch nothing; proxies wait a
 * minute.
 */
const PING_EVERY_MS = 50_000;
/** The rate limit of a client's messages: burst, and refill per second. */
const BURST = 40;
const PER_SECOND = 10;

/** engine.io's socket: a websocket, or a polling connection. */
interface EngineConnection extends EventEmitter {
  close(discard: boolean): void;
}

/** The sockets: authentication, rate limit and rooms. `bridge.ts` pushes to them. */
export function openHub(server: HttpServer, deps: Deps, epoch: string, isProxy: IsProxy): RunningHub {
  const byMember: SocketsByMember = new Map();
  const io: Hub = new Server(server, {
    serveClient: false,
    transports: ["websocket", "polling"],
    maxHttpBufferSize: LONGEST_MESSAGE,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 10_000,
    pingInterval: PING_EVERY_MS,
    allowRequest: (request, decide) => decide(null, isOwnOrigin(request, deps.publicUrl)),
  });
  io.use((socket, next) => {
    admit(deps, socket, clientAddressOf(socket.request, isProxy)).then(() => next(), next);
  });
  // Limited on the connection itself: handshakes are messages too, and cost more than most.
  io.engine.on("connection", (connection: EngineConnection) => {
    const bucket = new TokenBucket(BURST, PER_SECOND);
    connection.on("packet", () => {
      if (!bucket.take(Date.now())) connection.close(true);
    });
  });
  io.on("connection", (socket) => {
    enter(socket, byMember);
    watchGames(socket, deps);
    const login_out = deps.settings.get<0 | 1>("login_out");
    socket.emit("hello", { server_now_ms: deps.clock.now(), epoch, login_out });
  });
  return { io, byMember };
}

function enter(socket: HubSocket, byMember: SocketsByMember): void {
  const { caller, locale } = socket.data;
  void socket.join(rooms.locale(locale));
  if (!caller) return;
  void socket.join(rooms.session(caller.sessionId));
  const sockets = byMember.get(caller.memberId) ?? new Set();
  byMember.set(caller.memberId, sockets.add(socket));
  socket.on("disconnect", () => {
    sockets.delete(socket);
    if (sockets.size === 0) byMember.delete(caller.memberId);
  });
}

/**
 * Closes all connections once their buffers are sent. It does not send socket.io's disconnect: a client would not
 * reconnect after that.
 */
export function closeConnections(io: Hub): void {
  const { clients } = io.engine as unknown as { clients: Record<string, EngineConnection> };
  for (const connection of Object.values(clients)) connection.close(false);
}

/**
 * Browsers name the page that opens a socket: it must be one of ours. Programs name none, and have no cookies that
 * could be misused.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}

/** A token bucket: a burst, then a steady rate per second. */
class TokenBucket {
  readonly #size: number;
  readonly #perSecond: number;
  #left: number;
  #at = 0;

  constructor(size: number, perSecond: number) {
    this.#size = size;
    this.#perSecond = perSecond;
    this.#left = size;
  }

  take(nowMs: number): boolean {
    const refill = ((nowMs - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#size, this.#left + Math.max(0, refill));
    this.#at = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
