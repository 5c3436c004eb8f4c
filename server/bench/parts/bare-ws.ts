import { once } from "node:events";
import { WebSocketServer } from "ws";
import { cpuMs, memoryHeld, nowMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

let server: WebSocketServer | undefined;

/** A bare `ws` server. */
const methods = {
  /** Listens, and pings every socket at the interval. Returns its address. */
  async open(pingMs: number): Promise<string> {
    server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
    server.on("connection", (socket) => {
      const heartbeat = setInterval(() => socket.ping(), pingMs);
      socket.on("close", () => clearInterval(heartbeat));
    });
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  },

  /** Sends a frame to every socket. Returns the time at which it began. */
  broadcast(frame: string): number {
    const begunMs = nowMs();
    for (const socket of server!.clients) socket.send(frame);
    return begunMs;
  },

  cpuMs,
  memoryHeld,
};

export type BareWsPart = typeof methods;
serveMethods(methods);
