import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A cable between browser and server that can be cut: traffic stops without notice, as in a tunnel. Once mended, it
 * carries new connections; the old ones stay dead.
 */
export class CuttableProxy implements AsyncDisposable {
  readonly address: string;
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  #isCut = false;
  #to: URL;

  private constructor(server: Server, port: number, to: URL) {
    this.#server = server;
    this.#to = to;
    this.address = `http://127.0.0.1:${port}`;
  }

  static async lay(to: string): Promise<CuttableProxy> {
    const server = createServer({ allowHalfOpen: false }, (near) => cable.#join(near));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const cable = new CuttableProxy(server, (server.address() as { port: number }).port, new URL(to));
    return cable;
  }

  /** Leads to another server from now on; the connections to the first one end. */
  turn(to: string): void {
    this.#to = new URL(to);
    for (const [near] of this.#pairs) near.destroy();
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#to.port), this.#to.hostname);
    const pair: [Socket, Socket] = [near, far];
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    if (this.#isCut) return;
    near.pipe(far);
    far.pipe(near);
  }

  cut(): void {
    this.#isCut = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Dead connections are reset only when something is written to them, as on a real network. */
  mend(): void {
    this.#isCut = false;
    for (const [near, far] of this.#pairs) {
      near.resume();
      far.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [near, far] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    this.#server.close();
    await once(this.#server, "close");
  }
}
