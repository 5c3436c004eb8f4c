import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, type Socket } from "socket.io";
import { freePort } from "../../support/free-port.ts";
import type { Ack } from "#shared/contract/envelope.ts";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";

export type Answer = (ack: (answer: Ack<never>) => void, key: string) => void;

/** No data of any game, but a sign of life. */
export const acknowledge: Answer = (ack) => ack({ code: 404, msg: "No such game", data: null, request_id: "4f" });

/** A socket server that answers a watch as the test says, and counts connections. */
export class BareServer implements AsyncDisposable {
  readonly io: Server<ClientEvents, ServerEvents>;
  readonly address: string;
  /** The keys of all watches. */
  readonly asked: string[] = [];
  /** How many sockets have ever connected. */
  came = 0;
  answer: Answer = acknowledge;

  private constructor(io: Server<ClientEvents, ServerEvents>, port: number) {
    this.io = io;
    this.address = `http://127.0.0.1:${port}`;
    io.on("connection", (socket) => {
      this.came++;
      socket.on("lottery:watch", (key, ack) => {
        this.asked.push(key);
        this.answer(ack, key);
      });
    });
  }

  static async start(port?: number): Promise<BareServer> {
    const http = createServer().listen(port ?? (await freePort()), "127.0.0.1");
    const io = new Server<ClientEvents, ServerEvents>(http, { serveClient: false });
    await new Promise((resolve) => http.once("listening", resolve));
    return new BareServer(io, (http.address() as AddressInfo).port);
  }

  get open(): Socket<ClientEvents, ServerEvents>[] {
    return [...this.io.sockets.sockets.values()];
  }

  /** Cuts every connection without notice, as when a process dies. */
  drop(): void {
    for (const socket of this.open) socket.conn.close(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.io.close();
  }
}
