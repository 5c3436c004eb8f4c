import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** What may happen to a request beside being answered: how often each does, as shares of 1. */
const LIES = { doubled: 0.08, lost: 0.06, held: 0.1, late: 0.1, slow: 0.1 };
/** How long a request is held, an answer late or a socket slow, in ms: others overtake it. */
const LONGEST_MS = 800;

/**
 * A network before several servers, any of which gets a request. Once it lies, requests are sent twice at the same time,
 * held, or done and never answered, and answers come late: after answers to later requests. What a socket sends or is
 * sent is slow: each line keeps its order and loses nothing, as TCP does, but lines overtake each other and answers.
 */
export class LyingProxy implements AsyncDisposable {
  /** What it did, and how often. */
  readonly did = { doubled: 0, lost: 0, held: 0, late: 0, slow: 0 };
  lies = false;
  readonly #servers: string[];
  readonly #random: () => number;
  readonly #server = createServer((asked, answer) => void this.#forward(asked, answer).catch(() => answer.destroy()));

  private constructor(servers: string[], random: () => number) {
    this.#servers = servers;
    this.#random = random;
    this.#server.on("upgrade", (asked, socket, head) => this.#upgrade(asked, socket as Socket, head));
  }

  static async before(servers: string[], random: () => number): Promise<LyingProxy> {
    const proxy = new LyingProxy(servers, random);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #isLie(lie: keyof typeof LIES): boolean {
    const isOne = this.lies && this.#random() < LIES[lie];
    if (isOne) this.did[lie]++;
    return isOne;
  }

  #portOfAny(): number {
    return Number(new URL(this.#servers[Math.floor(this.#random() * this.#servers.length)]!).port);
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    if (this.#isLie("held")) await sleep(this.#random() * LONGEST_MS);
    const sent = [this.#send(asked, body)];
    if (this.#isLie("doubled")) sent.push(this.#send(asked, body));
    // Whichever comes first is the answer; the other one is lost.
    const given = await Promise.any(sent);
    await Promise.allSettled(sent);
    if (this.#isLie("lost")) return void answer.destroy();
    if (this.#isLie("late")) await sleep(this.#random() * LONGEST_MS);
    answer.writeHead(given.status, given.headers).end(given.body);
  }

  async #send({ method, url, headers }: IncomingMessage, body: Buffer) {
    const sent = request({ host: "127.0.0.1", port: this.#portOfAny(), method, path: url, headers, agent: false });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) };
  }

  #slowly(): Transform {
    const pass = async (bytes: Buffer) => {
      if (this.#isLie("slow")) await sleep(this.#random() * LONGEST_MS);
      return bytes;
    };
    return new Transform({
      transform: (bytes: Buffer, _, done) => void pass(bytes).then((whole) => done(null, whole)),
    });
  }

  #upgrade({ method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
    const line = connect(this.#portOfAny(), "127.0.0.1", () => {
      const headers = rawHeaders.map((text, i) => (i % 2 ? `${text}\r\n` : `${text}: `)).join("");
      line.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
      line.write(head);
      socket.pipe(this.#slowly()).pipe(line).pipe(this.#slowly()).pipe(socket);
    });
    for (const [one, other] of [
      [socket, line],
      [line, socket],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }
}
