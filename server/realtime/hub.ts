import type { EventEmitter } from "node:events";
import { ServerResponse, type IncomingMessage, type Server as HttpServer } from "node:http";
import type { Socket } from "node:net";
import { Server } from "socket.io";
import type { Deps } from "#server/app/deps.ts";
import { inRequest } from "#server/app/log.ts";
import type { RequestIds } from "#server/http/request-ids.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";
import { rooms } from "#shared/contract/events.ts";
import { clientAddressOf, type IsProxy } from "#server/config/trusted-proxies.ts";
import type { Hub, HubSocket, SocketsByMember } from "./socket.ts";
import { REFUSALS } from "#shared/refusal.ts";
import { safetyHeaders } from "#server/http/safety-headers.ts";
import type { SiteNames } from "#server/http/site-names.ts";
import { admit } from "./admit.ts";
import { RETRY_AFTER_S, SocketCrowd, type SocketLimits } from "./socket-limits.ts";
import { TokenBucket, type Rate } from "./token-bucket.ts";
import { watchGames } from "./watch.ts";
import { Watchers, type RunningHub } from "./watchers.ts";

/** The longest message a client may send, in bytes. */
const LONGEST_MESSAGE = 16_384;
/** A handshake may be longer, so that one with a token that is none gets its answer. */
const LONGEST_HANDSHAKE = 65_536;
/**
 * The heartbeat. Watchers get a countdown every ten seconds, so it serves those who watch nothing; proxies wait a
 * minute.
 */
const PING_EVERY_MS = 50_000;
/** The rate limit of a client's messages. */
const MESSAGES: Rate = { burst: 40, perSecond: 10 };

/** engine.io's socket: a websocket, or a polling connection. */
interface EngineConnection extends EventEmitter {
  request: IncomingMessage;
  close(discard: boolean): void;
}

/** Who calls, and under which id. */
interface Callers {
  ids: RequestIds;
  isProxy: IsProxy;
  names: SiteNames;
  /** How many sockets there may be; null where load is tested. */
  limits: SocketLimits | null;
}

const isCrowdedOut = (error: Error & { data?: { code?: number } }) =>
  error.data?.code === REFUSALS["attempts.many"].code;

/** The sockets: authentication, rate limit and rooms. `bridge.ts` pushes to them. */
export function openHub(server: HttpServer, deps: Deps, epoch: string, callers: Callers): RunningHub {
  const { ids, isProxy, names: site } = callers;
  const byMember: SocketsByMember = new Map();
  const crowd = callers.limits && new SocketCrowd(callers.limits, isProxy);
  const isOwn = ({ headers }: IncomingMessage) => site.isOwnHost(headers) && site.isOwnOrigin(headers);
  const io: Hub = new Server(server, {
    serveClient: false,
    transports: ["websocket", "polling"],
    maxHttpBufferSize: LONGEST_HANDSHAKE,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 10_000,
    pingInterval: PING_EVERY_MS,
    allowRequest: (request, decide) => decide(null, isOwn(request)),
  });
  const safety = safetyHeaders(deps.publicUrl);
  io.engine.on("headers", (headers: Record<string, string>) => void Object.assign(headers, safety));
  const names = nameHandshakes(io, deps, ids);
  // Another site's page in a member's browser uses nothing up: it is refused as such.
  if (crowd) limitHandshakes(io, (request) => !isOwn(request) || crowd.hears(request), names);
  admitSockets(io, (socket) => {
    const { request, data } = socket;
    data.requestId = names.get(request)!;
    const ip = clientAddressOf(request, isProxy);
    return inRequest(data.requestId, () => admit(deps, socket, ip, () => crowd?.refuse(socket, byMember)));
  });
  limitMessages(io, crowd);
  const watchers = new Watchers(io, deps);
  io.on("connection", (socket) => {
    enter(socket, byMember);
    traceSocket(socket, deps);
    watchGames(socket, deps, ids, watchers);
    greet(socket, deps, epoch);
  });
  return { io, byMember, watchers };
}

function admitSockets(io: Hub, admitted: (socket: HubSocket) => Promise<void>): void {
  io.use((socket, next) => {
    admitted(socket).then(
      () => next(),
      (error: Error) => {
        next(error);
        // Its connection would be kept for ten seconds, and take the place of another.
        if (isCrowdedOut(error)) setImmediate(() => socket.conn.close());
      },
    );
  });
}

/** Socket.io's packets say by their first letter what they are: 0 opens a socket. */
const isTooLong = (data: string | Buffer = ""): boolean =>
  data.length > LONGEST_MESSAGE && !(typeof data === "string" && data.startsWith("0"));

function limitMessages(io: Hub, crowd: SocketCrowd | null): void {
  // Limited on the connection itself: handshakes are messages too, and cost more than most.
  io.engine.on("connection", (connection: EngineConnection) => {
    crowd?.enter(connection);
    const bucket = new TokenBucket(MESSAGES);
    connection.on("packet", ({ data }: { data?: string | Buffer }) => {
      if (!bucket.take(Date.now()) || isTooLong(data)) connection.close(true);
    });
  });
}

function greet(socket: HubSocket, { settings, publicLog, clock }: Deps, epoch: string): void {
  const login_out = settings.get<0 | 1>("login_out");
  const told = { head: publicLog.newest(), witnesses: publicLog.wanted };
  socket.emit("hello", { server_now_ms: clock.now(), epoch, login_out, ...told });
}

/** An HTTP request for engine.io: with an answer of its own, unless it asks for a websocket. */
type EngineRequest = IncomingMessage & { res?: unknown; websocket?: unknown };

/** Names every request for a socket, and its answer. Returns the names. */
function nameHandshakes(
  { engine }: Hub,
  { log }: Pick<Deps, "log">,
  ids: RequestIds,
): WeakMap<IncomingMessage, string> {
  const names = new WeakMap<IncomingMessage, string>();
  engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const id = ids.of(request);
    names.set(request, id);
    response.setHeader(REQUEST_ID, id);
    next();
  });
  engine.on("connection_error", ({ req, message }: { req: EngineRequest; message: string }) => {
    const requestId = names.get(req)!;
    log.debug({ requestId, message }, "a socket was refused");
    if (!req.res && !req.websocket) refuseUpgrade(req.socket, "400 Bad Request", { [REQUEST_ID]: requestId }, message);
  });
  return names;
}

/** Answers handshakes that are not heard with 429, before engine.io looks at them. */
function limitHandshakes(
  { engine }: Hub,
  isHeard: (request: IncomingMessage) => boolean,
  names: WeakMap<IncomingMessage, string>,
): void {
  engine.use((request: IncomingMessage, response: object, next: () => void) => {
    // A request of an open socket names it, and asks for no new one.
    if (/[?&]sid=/.test(request.url ?? "") || isHeard(request)) return next();
    const [message, wait] = ["Too many handshakes", { "retry-after": String(RETRY_AFTER_S) }];
    if (response instanceof ServerResponse) return void response.writeHead(429, wait).end(message);
    const { socket } = request;
    socket.on("error", () => {}).on("finish", () => socket.destroy());
    refuseUpgrade(socket, "429 Too Many Requests", { [REQUEST_ID]: names.get(request)!, ...wait }, message);
  });
}

/** Answers a refused upgrade before engine.io does, which would send no header of ours. */
function refuseUpgrade(socket: Socket, status: string, headers: Record<string, string>, message: string): void {
  const head = [
    `HTTP/1.1 ${status}`,
    "connection: close",
    "content-type: text/plain",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(message)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${message}`);
}

/** A connection's id is socket.io's, which its client knows too. Like calls, connections are told at `debug` alone. */
function traceSocket(socket: HubSocket, { log }: Pick<Deps, "log">): void {
  const about = { socket: socket.id, requestId: socket.data.requestId };
  log.debug(about, "a socket connected");
  socket.on("disconnect", (reason) => log.debug({ ...about, reason }, "a socket disconnected"));
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
