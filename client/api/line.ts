import type { Socket } from "socket.io-client";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { bus } from "./bus.ts";
import { serverTime } from "./server-time.ts";

type Wire = Socket<ServerEvents, ClientEvents>;

export interface Credentials {
  token?: string;
  tokensso?: string;
  lang: string;
}

/** A watch is acknowledged this soon on a line that works; watchers hear something at least this often. */
const ACK_MS = 5_000;
const PROBE_MS = 900;
const SILENCE_MS = 13_000;
const LOOK_EVERY_MS = 2_000;

/**
 * The live line: one socket outside of all screens. It remembers which games
 * are watched and watches them again after every (re)connect, so whoever
 * listens to the bus gets a fresh snapshot without doing anything.
 */
export class Line {
  readonly #connect: (credentials: () => Credentials) => Promise<Wire>;
  readonly #watched = new Map<string, number>();
  #wire: Promise<Wire> | null = null;
  #heardAt = 0;

  constructor(connect: (credentials: () => Credentials) => Promise<Wire>) {
    this.#connect = connect;
  }

  /** Opens the line, or anew for somebody else. */
  async open(credentials: () => Credentials): Promise<void> {
    await this.close();
    this.#wire = this.#connect(credentials).then((wire) => this.#listen(wire));
    await this.#wire;
  }

  async close(): Promise<void> {
    const wire = await this.#wire;
    this.#wire = null;
    wire?.disconnect();
  }

  /** Watches a game until the returned function is called; many may watch the same. */
  watch(key: string): () => void {
    const watchers = this.#watched.get(key) ?? 0;
    this.#watched.set(key, watchers + 1);
    void this.#wire?.then((wire) => wire.connected && this.#ask(wire, key));
    return () => {
      const left = (this.#watched.get(key) ?? 1) - 1;
      if (left > 0) return void this.#watched.set(key, left);
      this.#watched.delete(key);
      void this.#wire?.then((wire) => wire.connected && wire.emit("lottery:unwatch", key));
    };
  }

  /** After a sleep, or when the network came back: asks at once instead of waiting for the next try. */
  async nudge(): Promise<void> {
    const wire = await this.#wire;
    if (!wire) return;
    if (!wire.connected) return void wire.connect();
    const [key] = this.#watched.keys();
    if (key !== undefined) this.#ask(wire, key, PROBE_MS);
    else this.#renew(wire);
  }

  /** Watchers hear a countdown every ten seconds; a line that is silent for longer is dead. */
  startLooking(): () => void {
    const timer = setInterval(() => {
      if (this.#watched.size === 0 || performance.now() - this.#heardAt < SILENCE_MS) return;
      void this.#wire?.then((wire) => wire.connected && this.#renew(wire));
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }

  #ask(wire: Wire, key: string, patience = ACK_MS): void {
    wire.timeout(patience).emit("lottery:watch", key, (lost: Error | null, answer) => {
      if (lost) return this.#renew(wire);
      if (answer.code !== DONE || !answer.data) return;
      serverTime.heard(answer.data.server_now_ms);
      bus.emit("snapshot", answer.data);
    });
  }

  /** Gives a line up that may be dead, and tries at once with a new one. */
  #renew(wire: Wire): void {
    this.#heardAt = performance.now();
    wire.disconnect();
    wire.connect();
  }

  #listen(wire: Wire): Wire {
    wire.on("connect", () => {
      this.#heardAt = performance.now();
      for (const key of this.#watched.keys()) this.#ask(wire, key);
      bus.emit("line", { up: true });
    });
    wire.on("disconnect", (reason) => {
      bus.emit("line", { up: false });
      // The server ended it on purpose; whoever was kicked has been told why.
      if (reason === "io server disconnect") setTimeout(() => void (wire.active || wire.connect()), 1_000);
    });
    wire.on("connect_error", (error) => {
      const { code } = (error as { data?: { code?: number } }).data ?? {};
      if (code === 401 || code === 10_001) bus.emit("refused", { code, msg: error.message });
    });
    wire.onAny(() => (this.#heardAt = performance.now()));
    forward(wire);
    return wire;
  }
}

/** Every push goes on the bus under the client's word for it. */
function forward(wire: Wire): void {
  wire.on("hello", (hello) => {
    serverTime.forget();
    serverTime.heard(hello.server_now_ms);
    bus.emit("hello", hello);
  });
  wire.on("lottery:countdown", (countdown) => {
    serverTime.heard(countdown.server_now_ms);
    bus.emit("countdown", countdown);
  });
  wire.on("lottery:result", (result) => bus.emit("result", result));
  wire.on("order:settled", (settled) => bus.emit("settled", settled));
  wire.on("balance:change", (change) => bus.emit("balance", change));
  wire.on("record:change", (record) => bus.emit("record", record));
  wire.on("member:change", (standing) => bus.emit("standing", standing));
  wire.on("session:kick", (kick) => bus.emit("kick", kick));
  wire.on("notice:new", (notice) => bus.emit("notice", notice));
  wire.on("site:change", (changed) => bus.emit("site", changed));
}
