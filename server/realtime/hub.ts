import type { EventEmitter } from "node:events";
import type { Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Deps } from "#server/app/deps.ts";
import { rooms, type ClientEvents, type ServerEvents } from "#shared/contract/events.ts";
import { askerOf, type IsProxy } from "#server/config/trusted-proxies.ts";
import { isOwnOrigin } from "./origin.ts";
import { admit, type SocketData } from "./admit.ts";
import { Bucket } from "./token-bucket.ts";
import { watchGames } from "./watch.ts";

export type Hub = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type HubSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

/** The longest message a client may send, in bytes. */
const LONGEST_MESSAGE = 16_384;
/** Watchers hear a countdown every ten seconds, so a ping is only for those who watch nothing; proxies wait a minute. */
const PING_EVERY_MS = 50_000;
/** Messages a client may send: so many at once, and so many a second. */
const BURST = 40;
const PER_SECOND = 10;

/** Open sockets by member, to tell each of them their own. */
export type SocketsByMember = Map<number, Set<HubSocket>>;

export interface RunningHub {
  io: Hub;
  byMember: SocketsByMember;
}

/** What engine.io calls a socket: a websocket, or a line by polling. */
interface Line extends EventEmitter {
  close(discard: boolean): void;
}

/** The sockets: who comes in, what they may send, and which rooms they are in. `bridge.ts` says what they hear. */
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
    admit(deps, socket, askerOf(socket.request, isProxy)).then(() => next(), next);
  });
  // Counted on the line itself: handshakes are messages too, and cost more than most.
  io.engine.on("connection", (line: Line) => {
    const bucket = new Bucket(BURST, PER_SECOND);
    line.on("packet", () => {
      if (!bucket.take(Date.now())) line.close(true);
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

/** Closes all lines once what was said on them is sent. Nobody is disconnected by name: that a client takes for good. */
export function closeLines(io: Hub): void {
  const { clients } = io.engine as unknown as { clients: Record<string, Line> };
  for (const line of Object.values(clients)) line.close(false);
}
