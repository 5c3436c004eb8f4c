import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How often each server's readiness is checked. */
const LOOK_EVERY_MS = 100;
/** How long a check may take, where a test silences servers. */
const SHORT_MS = 1_500;

interface Backend {
  port: number;
  ready: boolean;
  /** Open connections. They are cut when the server stops answering, as a proxy's own timeout would. */
  open: Set<Duplex>;
}

/** A load balancer before several servers: it checks each one's readiness and sends requests only to ready ones. */
export class Balancer {
  readonly #backends: Backend[];
  readonly #server = createServer((asked, answer) => void this.#forward(asked, answer));
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  readonly #patienceMs: number;

  private constructor(addresses: string[], patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#backends = addresses.map((address) => ({
      port: Number(new URL(address).port),
      ready: true,
      open: new Set(),
    }));
    this.#server.on("upgrade", (asked, socket, head) => this.#upgrade(asked, socket as Socket, head));
    this.#timer = setInterval(() => this.#backends.forEach((backend) => void this.#look(backend)), LOOK_EVERY_MS);
  }

  static async before(addresses: string[], patienceMs = SHORT_MS): Promise<Balancer> {
    const balancer = new Balancer(addresses, patienceMs);
    await once(balancer.#server.listen(0, "127.0.0.1"), "listening");
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when all servers are ready; rejects if they are not in time. */
  async untilAllReady(patienceMs = 120_000): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!this.#backends.every(({ ready }) => ready)) {
      if (Date.now() > deadline) throw new Error("not all servers became ready");
      await sleep(50);
    }
  }

  /** Resolves when any server is ready: at once, or later. */
  async untilAnyReady(): Promise<void> {
    while (!this.#backends.some(({ ready }) => ready)) await sleep(50);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const { open } of this.#backends) for (const stream of open) stream.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #look(backend: Backend): Promise<void> {
    const signal = AbortSignal.timeout(this.#patienceMs);
    const ready = await fetch(`http://127.0.0.1:${backend.port}/readyz`, { signal }).then(
      ({ ok }) => ok,
      // A server that answers no is draining and finishes its requests; a silent one has its connections cut.
      () => null,
    );
    backend.ready = ready === true;
    if (ready === null) for (const stream of backend.open) stream.destroy();
  }

  #choose(): Backend | undefined {
    for (let i = 0; i < this.#backends.length; i++) {
      const backend = this.#backends[this.#next++ % this.#backends.length]!;
      if (backend.ready) return backend;
    }
    return undefined;
  }

  /** A refused connection reached no server, so the next server gets the request. */
  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    try {
      for await (const chunk of asked) body.push(chunk as Buffer);
    } catch {
      return;
    }
    for (const _ of this.#backends) {
      const backend = this.#choose();
      if (!backend) break;
      const done = await this.#send(backend, asked, Buffer.concat(body), answer);
      if (done) return;
    }
    answer.writeHead(502).end();
  }

  #send(backend: Backend, { method, url, headers }: IncomingMessage, body: Buffer, answer: ServerResponse) {
    return new Promise<boolean>((resolve) => {
      const sent = request({ host: "127.0.0.1", port: backend.port, method, path: url, headers, agent: false });
      sent.on("socket", (socket) => this.#keep(backend, socket));
      sent.on("response", (given) => {
        answer.writeHead(given.statusCode!, given.headers);
        given.pipe(answer);
        given.on("error", () => answer.destroy());
        resolve(true);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") {
          backend.ready = false;
          return resolve(false);
        }
        answer.destroy();
        resolve(true);
      });
      sent.end(body);
    });
  }

  #upgrade({ method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
    const backend = this.#choose();
    if (!backend) return void socket.destroy();
    const line = connect(backend.port, "127.0.0.1", () => {
      const headers = rawHeaders.map((text, i) => (i % 2 ? `${text}\r\n` : `${text}: `)).join("");
      line.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
      line.write(head);
      socket.pipe(line).pipe(socket);
    });
    this.#keep(backend, line);
    for (const [one, other] of [
      [socket, line],
      [line, socket],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  #keep({ open }: Backend, stream: Duplex): void {
    open.add(stream);
    stream.on("close", () => open.delete(stream));
  }
}
