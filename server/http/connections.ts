import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** How long closing waits for a moment without new connections. */
const QUIET_WITHIN_MS = 250;
/** In an event loop turn this short, a connection after the poll is very unlikely. */
const SHORT_TURN_MS = 0.5;
const LOOK_EVERY_MS = 20;

interface Connection {
  /** Responses that are not sent to the last byte. */
  readonly responses: Set<ServerResponse>;
  /** Bytes received when the last response ended: more means that the next request has begun. */
  bytesRead: number;
  idleSince: number;
}

/**
 * Tracks the open HTTP connections and their responses. When a server closes, Node drops idle connections with unread
 * requests and unflushed answers; this waits for both. Websockets are not counted.
 */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #accepted = 0;
  #closing = false;

  /** Tracks from now on. Create it after everything else that handles the server's requests. */
  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => this.#enter(socket));
    server.prependListener("request", (request, response) => this.#begin(request.socket, response));
    server.prependListener("upgrade", (_request, socket) => void this.#open.delete(socket as Socket));
  }

  /** The unfinished responses of a connection, oldest first. */
  owed(socket: Socket): ServerResponse[] {
    return [...(this.#open.get(socket)?.responses ?? [])];
  }

  /**
   * Stops accepting; on open connections the next answer is the last (`connection: close`). The kernel resets
   * connections that the program has not accepted yet, so this first waits for a short event loop turn without new
   * ones.
   */
  async stopListening(): Promise<void> {
    const deadline = performance.now() + QUIET_WITHIN_MS;
    // The first turn is partial: measure from its end.
    await nextTurn();
    let isQuiet = false;
    while (!isQuiet && performance.now() < deadline) {
      const [accepted, startedAt] = [this.#accepted, performance.now()];
      await nextTurn();
      isQuiet = this.#accepted === accepted && performance.now() - startedAt < SHORT_TURN_MS;
    }
    // Not the HTTP server's own `close`, which also drops idle connections.
    NetServer.prototype.close.call(this.#server);
    this.#closing = true;
    for (const { responses } of this.#open.values()) {
      const newest = [...responses].at(-1);
      if (newest) makeLast(newest);
    }
  }

  /** Resolves when all connections are gone. Closes each that is idle for this long. */
  async gone(idleMs: number): Promise<void> {
    const startedAt = performance.now();
    while (this.#open.size > 0) {
      const now = performance.now();
      for (const [socket, connection] of this.#open) {
        if (isIdle(socket, connection) && now - Math.max(connection.idleSince, startedAt) >= idleMs) socket.destroy();
      }
      await sleep(LOOK_EVERY_MS);
      // Check again right after the event loop has read pending data.
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
    // Of pipelined requests, only the last response may close the connection.
    if (this.#closing) for (const earlier of connection.responses) makeLast(earlier, false);
    connection.responses.add(response);
    if (this.#closing) makeLast(response);
    response.on("close", () => {
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
