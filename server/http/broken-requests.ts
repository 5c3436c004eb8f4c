import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Deps } from "#server/app/deps.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";
import { localeOf } from "#shared/locales.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import type { Connections } from "./connections.ts";
import { envelopeOf } from "./envelope.ts";
import { safetyHeaders } from "./safety-headers.ts";
import type { RequestIds } from "./request-ids.ts";

/** Node's parse error, with the bytes in which it occurred. */
interface Broken extends Error {
  code?: string;
  rawPacket?: Buffer;
  bytesParsed?: number;
}

const BY_CODE: Record<string, RefusalReason> = {
  HPE_HEADER_OVERFLOW: "head.large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "body.large",
  ERR_HTTP_REQUEST_TIMEOUT: "request.timeout",
};
const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/1\.[01]\r?$/m;
/** How long a client may take to read its refusal: a connection closed with unread bytes is reset. */
const LINGER_MS = 1_000;

/** Answers requests that never reach the router with the same envelope, and closes the connection. */
export function refuseBroken(
  server: Server,
  texts: Pick<Deps, "text" | "publicUrl">,
  connections: Connections,
  ids: RequestIds,
): void {
  const seen = new WeakSet<Socket>();

  function refuse(error: Broken, socket: Socket): void {
    const owed = connections.owed(socket);
    const whole = owed.findLast(({ req }) => req.complete);
    // Complete requests before it are answered first.
    if (whole) whole.once("close", () => refuse(error, socket));
    else if (!socket.writable || owed.some((response) => response.headersSent)) socket.destroy();
    else respond(texts, socket, reasonOf(error), owed[0]?.req.headers ?? headersIn(error), ids.fresh());
  }

  // In place of Fastify's own, which answers in another shape.
  server.removeAllListeners("clientError");
  server.on("clientError", (error: Broken, socket: Socket) => {
    if (seen.has(socket)) return;
    seen.add(socket);
    if (error.code === "ECONNRESET") socket.destroy();
    else refuse(error, socket);
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) =>
    respond(texts, socket, "path.unknown", request.headers, ids.of(request)),
  );
  // An unknown Expect header is ignored; Node would refuse it with an empty body.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
}

function reasonOf({ code = "", rawPacket, bytesParsed = 0 }: Broken): RefusalReason {
  const text = rawPacket?.toString("latin1") ?? "";
  const line = text.slice(text.lastIndexOf("\n", bytesParsed) + 1);
  if (code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(line)) return "path.unknown";
  return BY_CODE[code] ?? "request.malformed";
}

/** The headers that shape the answer, where they are in the same bytes. */
function headersIn({ rawPacket }: Broken): IncomingHttpHeaders {
  const text = rawPacket?.toString("latin1") ?? "";
  const lines = [...text.matchAll(/^(lang|x-data-encoding):[ \t]*(\S*)[ \t]*\r?$/gim)];
  return Object.fromEntries(lines.map(([, name, value]) => [name!.toLowerCase(), value]));
}

function respond(
  texts: Pick<Deps, "text" | "publicUrl">,
  socket: Socket,
  reason: RefusalReason,
  headers: IncomingHttpHeaders,
  id: string,
): void {
  const plain = headers["x-data-encoding"] === "json";
  const { status, body } = envelopeOf(texts, localeOf(headers.lang), plain, new Refusal(reason));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    "cache-control: no-store",
    ...Object.entries(safetyHeaders(texts.publicUrl)).map(([name, value]) => `${name}: ${value}`),
    `${REQUEST_ID}: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    "connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
