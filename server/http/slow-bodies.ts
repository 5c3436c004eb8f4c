import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** How long the body of a request may take to arrive. Calls are short: a phone on a bad line sends one in a second. */
const BODY_MS = 15_000;
const LOOKS = 15;

const patient = new WeakSet<IncomingMessage>();

/** Lets the body of this request take longer: its reader has a time limit of its own. */
export const allowSlowBody = (request: IncomingMessage): void => void patient.add(request);

/**
 * Cuts off bodies that drip. Node's own `requestTimeout` cannot except uploads, and its look every half minute is late.
 * Refuses through the server's `clientError`, as Node does.
 */
export function limitBodies(server: Server, bodyMs = BODY_MS): void {
  /** By connection: its newest request is the only one whose body can still arrive. */
  const arriving = new Map<Socket, { request: IncomingMessage; since: number }>();
  server.prependListener("request", (request) => {
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    if (coding === undefined && (length === undefined || length === "0")) return;
    arriving.set(request.socket, { request, since: performance.now() });
  });
  const look = setInterval(() => {
    const now = performance.now();
    for (const [socket, { request, since }] of arriving) {
      if (request.complete || request.destroyed || patient.has(request)) arriving.delete(socket);
      else if (now - since > bodyMs) {
        arriving.delete(socket);
        server.emit("clientError", tooSlow(), socket);
      }
    }
  }, bodyMs / LOOKS).unref();
  server.once("close", () => clearInterval(look));
}

const tooSlow = () => Object.assign(new Error("the body took too long"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
