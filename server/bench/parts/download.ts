import { connect, type Socket } from "node:net";
import { nowMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";
import { Answers } from "./answers.ts";

const CHUNK = 65_536;
const SIP = 16_384;

export interface Fetching {
  /** Addresses on one server. Each connection cycles through them. */
  urls: string[];
  connections: number;
  seconds: number;
}

interface Sipping {
  url: string;
  count: number;
  /** The interval at which each reads 16 KiB. */
  everyMs: number;
}

const sippers: { socket: Socket; answers: Answers }[] = [];
let sipping: NodeJS.Timeout | undefined;

/** Downloads and discards, so that it costs little itself. */
const methods = {
  /** Body bytes per second, over connections that stay open. Throws for a response other than 200. */
  async fetch({ urls, connections, seconds }: Fetching): Promise<number> {
    const { hostname: host, port } = new URL(urls[0]!);
    const requests = urls.map(requestOf);
    let [bytes, isOver] = [0, false];
    const begunMs = nowMs();
    const readOn = (place: number) =>
      new Promise<void>((resolve, reject) => {
        const buffer = Buffer.allocUnsafe(CHUNK);
        const ask = () => void socket.write(requests[place++ % requests.length]!);
        const answers = new Answers(() => !isOver && ask());
        const socket = connect({ host, port: Number(port), onread: { buffer, callback: take } }, ask);
        function take(length: number): boolean {
          try {
            bytes += answers.take(buffer, length);
          } catch (error) {
            socket.destroy(error as Error);
          }
          if (isOver) socket.destroy();
          return true;
        }
        socket.on("error", reject).on("close", () => (isOver ? resolve() : reject(new Error("cut off"))));
      });
    const timer = setTimeout(() => (isOver = true), seconds * 1_000);
    try {
      await Promise.all(Array.from({ length: connections }, (_, i) => readOn(i * 7)));
    } finally {
      clearTimeout(timer);
    }
    return bytes / ((nowMs() - begunMs) / 1_000);
  },
  /** Adds slow downloads to those that already run. Resolves once each has begun. */
  async sip({ url, count, everyMs }: Sipping): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => beginSipping(url)));
    clearInterval(sipping);
    sipping = setInterval(() => sippers.forEach(({ socket }) => socket.resume()), everyMs);
  },
  /** How many downloads still run, and the most bytes that one of them has. */
  sipped: () => ({
    open: sippers.filter(({ socket, answers }) => !socket.destroyed && answers.done === 0).length,
    bytes: Math.max(...sippers.map(({ answers }) => answers.bytes)),
  }),
  leave(): void {
    clearInterval(sipping);
    for (const { socket } of sippers.splice(0)) socket.destroy();
  },
};

const requestOf = (url: string): string => {
  const { pathname, host } = new URL(url);
  return `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
};

function beginSipping(url: string): Promise<void> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const answers = new Answers();
    const buffer = Buffer.allocUnsafe(SIP);
    const callback = (length: number) => {
      answers.take(buffer, length);
      resolve();
      return false;
    };
    const socket = connect({ host, port: Number(port), onread: { buffer, callback } }, () =>
      socket.write(requestOf(url)),
    );
    socket.on("error", reject);
    sippers.push({ socket, answers });
  });
}

export type DownloadPart = typeof methods;
serveMethods(methods);
