import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Somebody else's server, on loopback: a payment provider, a push service. `take` answers a request. */
export abstract class LoopbackServer {
  protected readonly server = createServer((request, response) => this.take(request, response));

  protected abstract take(request: IncomingMessage, response: ServerResponse): void;

  async listen(): Promise<this> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}
