import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { keyText } from "#shared/log/note.ts";
import type { WitnessState } from "./state.ts";
import type { Answer, Witness } from "./witness.ts";

const LONGEST_BODY = 140_000;
const REQUEST_MS = 10_000;

/** Serves a witness: `add-checkpoint`, its own key, and the newest head that it signed of the log that it follows. */
export async function serveWitness(
  witness: Witness,
  state: WitnessState,
  { port, host }: { port: number; host: string },
): Promise<Server> {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    answerTo(request, witness, state)
      .catch((): Answer => ({ status: 500, type: "text/plain", body: "failed\n" }))
      .then(({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body))
      .catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

const plain = (status: number, body: string): Answer => ({ status, type: "text/plain; charset=utf-8", body });

async function answerTo(request: IncomingMessage, witness: Witness, state: WitnessState): Promise<Answer> {
  const { method, url } = request;
  if (method === "POST" && url === "/add-checkpoint") {
    const body = await bodyOf(request);
    return body === null ? plain(413, "too long\n") : witness.addCheckpoint(body);
  }
  if (method !== "GET") return plain(405, "POST /add-checkpoint, GET /key or GET /checkpoint\n");
  if (url === "/key") return plain(200, `${keyText(witness.key)}\n`);
  const origin = state.origins.at(-1);
  const newest = url === "/checkpoint" && origin !== undefined ? witness.newest(origin) : null;
  return newest ? plain(200, newest) : plain(404, "nothing here\n");
}

/** Null as soon as it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > LONGEST_BODY) return null;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}
