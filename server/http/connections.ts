import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** How long the listening socket waits for a moment in which nobody comes, before it closes all the same. */
const QUIET_WITHIN_MS = 250;
/** In a turn as short as this hardly anybody can have come after the event loop looked. */
const SHORT_TURN_MS = 0.5;
const LOOK_EVERY_MS = 20;

interface Connection {
  /** Requests that came and are not answered to the last byte. */
  readonly responses: Set<ServerResponse>;
  /** How many bytes had come when the last answer was out: more means that the next request has begun. */
  bytesRead: number;
  idleSince: number;
}

/**
 * The open HTTP connections and what is under way on each. Node closes idle connections as soon as its server closes,
 * with requests on them that it has not read, and answers that are not flushed; this waits for both. Websockets are
 * not counted.
 */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #accepted = 0;
  #closing = false;

  /** From now on; after everything else that takes over the server's requests. */
  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => this.#enter(socket));
    server.prependListener("request", (request, response) => this.#begin(request.socket, response));
    server.prependListener("upgrade", (_request, socket) => void this.#open.delete(socket as Socket));
  }

  /** The answers that a connection still owes, the one for its oldest request first. */
  owed(socket: Socket): ServerResponse[] {
    return [...(this.#open.get(socket)?.responses ?? [])];
  }

  /**
   * Takes no new connections; on those that are open the next answer is the last, and says so (`connection: close`).
   * The kernel resets what it has accepted and the program has not, so this waits a little for a short turn of the
   * event loop in which nobody came.
   */
  async stopListening(): Promise<void> {
    const deadline = performance.now() + QUIET_WITHIN_MS;
    // What is asked from within a turn comes at its end: only from there on is a turn a whole one.
    await nextTurn();
    let isQuiet = false;
    while (!isQuiet && performance.now() < deadline) {
      const [accepted, startedAt] = [this.#accepted, performance.now()];
      await nextTurn();
      isQuiet = this.#accepted === accepted && performance.now() - startedAt < SHORT_TURN_MS;
    }
    // Not the HTTP server's own, which also closes idle connections.
    NetServer.prototype.close.call(this.#server);
    this.#closing = true;
    for (const { responses } of this.#open.values()) {
      const newest = [...responses].at(-1);
      if (newest) makeLast(newest);
    }
  }

  /** Resolves when all connections are gone. Closes each that is idle for so long, which its next request resets. */
  async gone(idleMs: number): Promise<void> {
    const startedAt = performance.now();
    while (this.#open.size > 0) {
      const now = performance.now();
      for (const [socket, connection] of this.#open) {
        if (isIdle(socket, connection) && now - Math.max(connection.idleSince, startedAt) >= idleMs) socket.destroy();
      }
      await sleep(LOOK_EVERY_MS);
      // Right after the event loop has read what lay there.
      await nextTurn();
    }
  }

  #enter(socket: Socket): void {
    this.#accepted += 1;
    this.#open.set(socket, { responses: new Set(), bytesRead: 0, idleSince: performance.now() });
    socket.once("close", () => this.#open.delete(socket));
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    // Of requests sent without waiting for answers, only the last one's may close the connection.
    if (this.#closing) for (const earlier of connection.responses) makeLast(earlier, false);
    connection.responses.add(response);
    if (this.#closing) makeLast(response);
    response.once("close", () => {
      connection.responses.delete(response);
      connection.bytesRead = socket.bytesRead;
      connection.idleSince = performance.now();
    });
  }
}

const isIdle = (socket: Socket, { responses, bytesRead }: Connection) =>
  responses.size === 0 && socket.bytesRead === bytesRead;

function makeLast(response: ServerResponse, isLast = true): void {
  if (response.headersSent) return;
  if (isLast) response.setHeader("connection", "close");
  else response.removeHeader("connection");
}
