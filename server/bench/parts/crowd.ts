import { WebSocket } from "ws";
import { tokenOf } from "#server/bench/database.ts";
import { nowMs } from "#server/bench/measure.ts";
import { serveMethods } from "#server/bench/part.ts";

export interface Guests {
  url: string;
  count: number;
  /** How many connect in a second; by default as many as possible. */
  perSecond?: number;
  /** The game that they watch, as the members 1..`count`. Without it they listen to a bare server. */
  watch?: string;
  /** The first of these members; by default 1. */
  first?: number;
}

/** How many sockets are opened at the same time. */
const AT_ONCE = 100;

const sockets: WebSocket[] = [];
/** How many more messages with this text are expected. */
let awaited = { text: "", left: 0, done: (_lastMs: number) => {} };
let lastReceived = Promise.resolve(0);

/** Many clients on raw sockets, with just enough of socket.io's protocol to watch a game. */
const methods = {
  async join({ url, count, perSecond, watch, first = 1 }: Guests): Promise<void> {
    const begunMs = nowMs();
    let next = 1;
    async function comeIn(): Promise<void> {
      while (next <= count) {
        const guest = next++;
        const dueMs = perSecond ? begunMs + (guest / perSecond) * 1000 : 0;
        if (dueMs > nowMs()) await new Promise((resolve) => setTimeout(resolve, dueMs - nowMs()));
        sockets.push(await (watch ? openWatcher(url, first + guest - 1, watch) : openBare(url)));
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, comeIn));
  },

  /** Counts messages with this text from now on, up to `count`. */
  expect(text: string, count: number): void {
    lastReceived = new Promise((resolve) => {
      awaited = { text, left: count, done: resolve };
    });
  },

  /** Resolves to the time of the last expected message. */
  lastReceived: (): Promise<number> => lastReceived,

  async leave(): Promise<void> {
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets.splice(0)) socket.terminate();
    await Promise.all(closed);
  },
};

function count(message: string): void {
  if (awaited.left > 0 && message.includes(awaited.text) && --awaited.left === 0) awaited.done(nowMs());
}

function connect(url: string, path: string, onText: (socket: WebSocket, text: string) => void): Promise<WebSocket> {
  const options = { perMessageDeflate: false, skipUTF8Validation: true };
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, options);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: Buffer) => onText(socket, data.toString("latin1")));
    socket.on("open", () => path === "/" && resolve(socket));
    socket.once("ready", () => resolve(socket));
  });
}

const openBare = (url: string): Promise<WebSocket> => connect(url, "/", (_socket, text) => count(text));

/** engine.io's open (0), ping (2) and message (4) with socket.io's connect (0), event (2) and ack (3) in it. */
function openWatcher(url: string, memberId: number, key: string): Promise<WebSocket> {
  return connect(url, "/socket.io/?EIO=4&transport=websocket", (socket, text) => {
    if (text === "2") socket.send("3");
    else if (text.startsWith("42")) count(text);
    else if (text.startsWith("0")) socket.send(`40${JSON.stringify({ token: tokenOf(memberId), lang: "en_us" })}`);
    else if (text.startsWith("40")) socket.send(`420${JSON.stringify(["lottery:watch", key])}`);
    else if (text.startsWith('430[{"code":200')) socket.emit("ready");
    else socket.emit("error", new Error(`not what was expected: ${text}`));
  });
}

export type CrowdPart = typeof methods;
serveMethods(methods);
