import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serveWitness } from "#server/witness/serve.ts";
import { WitnessState } from "#server/witness/state.ts";
import { Witness } from "#server/witness/witness.ts";
import { keyText, type NoteKey } from "#shared/log/note.ts";
import type { Clock } from "#shared/time.ts";

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  if (server.listening) await once(server, "close");
}

/** A true witness on loopback, with the code that `npm run witness` runs. */
export class WitnessServer {
  readonly state: WitnessState;
  readonly witness: Witness;
  readonly said: string[];
  #server: Server;
  readonly #port: number;

  private constructor(state: WitnessState, witness: Witness, said: string[], server: Server) {
    this.state = state;
    this.witness = witness;
    this.said = said;
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  static async start(folder: string, clock: Clock, name = "witness.json"): Promise<WitnessServer> {
    const file = join(folder, name);
    const state = await WitnessState.open(file);
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    const witness = new Witness({ state, clock, say, evidence: `${file}.fork.json` });
    return new WitnessServer(state, witness, said, await serveWitness(witness, state, { port: 0, host: "127.0.0.1" }));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get key(): NoteKey {
    return this.witness.key;
  }

  /** As `WITNESSES` names it. */
  get named(): string {
    return `${this.url} ${keyText(this.key)}`;
  }

  /** Teaches it the key of a log, as its first look at the site does. */
  meets = (key: NoteKey) => this.state.keep(key.name, { key, note: null });

  sizeOf = (origin: string): number | undefined => this.state.head(origin)?.size;

  /** It no longer answers. */
  leave = () => stop(this.#server);

  /** It answers again, at the same address. */
  async comeBack(): Promise<void> {
    this.#server = await serveWitness(this.witness, this.state, { port: this.#port, host: "127.0.0.1" });
  }
}

/** Answers heads as a test says. */
export async function falseWitness(
  answer: (body: string, response: ServerResponse) => void | Promise<void>,
): Promise<{ url: string; asked: string[]; stop: () => Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(body);
      return answer(body, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: addressOf(server), asked, stop: () => stop(server) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
