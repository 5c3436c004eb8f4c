import type { Socket } from "socket.io-client";
import { DONE, KICKED } from "#shared/contract/envelope.ts";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";
import { jitter } from "./jitter.ts";
import { bus } from "./bus.ts";
import { serverTime } from "./server-time.ts";

type Wire = Socket<ServerEvents, ClientEvents>;

export interface Credentials {
  token?: string;
  tokensso?: string;
  lang: string;
}

/** The connection's timeouts and delays, in ms. */
const TIMES = {
  /** Time for a watch to be acknowledged; `probe` is the shorter one after a wake-up. */
  ack: 5_000,
  probe: 700,
  /** The heartbeat: watchers get a countdown every 10 s. A connection silent for longer is dead. */
  silence: 13_000,
  look: 2_000,
  /** Delay before reconnecting after the server disconnects us, plus random jitter. */
  again: 200,
  spread: 500,
  /** Several events announce one wake-up; those within this time count as one. */
  together: 300,
};

/** No game's key: it is acknowledged, as every watch is, and changes nothing. */
const NO_GAME = "";

/**
 * The live line: one socket outside of all screens. It remembers which games
 * are watched and watches them again after every (re)connect, so whoever
 * listens to the bus gets a fresh snapshot without doing anything.
 */
export class LiveConnection {
  readonly #connect: (credentials: () => Credentials) => Wire;
  readonly #times: typeof TIMES;
  readonly #watched = new Map<string, number>();
  #wire: Wire | null = null;
  #isUp: boolean | null = null;
  #triedAt = 0;
  #quietSince = 0;

  constructor(connect: (credentials: () => Credentials) => Wire, times: Partial<typeof TIMES> = {}) {
    this.#connect = connect;
    this.#times = { ...TIMES, ...times };
  }

  /** Connects, or reconnects for another session. */
  open(credentials: () => Credentials): void {
    this.close();
    this.#triedAt = performance.now();
    this.#wire = this.#connect(credentials);
    this.#listen(this.#wire);
  }

  close(): void {
    const wire = this.#wire;
    this.#wire = null;
    wire?.disconnect();
  }

  /** Subscribes to a game until the returned function is called. Subscriptions are counted. */
  watch(key: string): () => void {
    this.#watched.set(key, (this.#watched.get(key) ?? 0) + 1);
    if (this.#wire?.connected) this.#ask(this.#wire, key);
    let isWatching = true;
    return () => {
      if (isWatching) this.#unwatch(key);
      isWatching = false;
    };
  }

  #unwatch(key: string): void {
    const left = this.#watched.get(key)! - 1;
    if (left > 0) return void this.#watched.set(key, left);
    this.#watched.delete(key);
    if (this.#wire?.connected) this.#wire.emit("lottery:unwatch", key);
  }

  /** Probes at once after a sleep or a network change, without waiting for the next retry. */
  nudge(): void {
    const wire = this.#wire;
    if (!wire || performance.now() - this.#triedAt < this.#times.together) return;
    if (!wire.connected) return this.#renew(wire);
    this.#triedAt = performance.now();
    const keys = this.#watched.size > 0 ? this.#watched.keys() : [NO_GAME];
    for (const key of keys) this.#ask(wire, key, this.#times.probe);
  }

  /** Watches for heartbeats and renews a silent connection. Returns the stop function. */
  startLooking(): () => void {
    const timer = setInterval(() => {
      if (this.#watched.size === 0 || performance.now() - this.#quietSince < this.#times.silence) return;
      if (this.#wire?.connected) this.#renew(this.#wire);
    }, this.#times.look);
    return () => clearInterval(timer);
  }

  #ask(wire: Wire, key: string, patience = this.#times.ack): void {
    const { id } = wire;
    this.#quietSince = performance.now();
    wire.timeout(patience).emit("lottery:watch", key, (lost: Error | null, answer) => {
      if (lost) {
        // A connection that ended has lost its answers too; the next one asks for itself.
        if (wire.id === id) this.#renew(wire);
      } else if (answer.code === DONE && answer.data) {
        serverTime.update(answer.data.server_now_ms);
        bus.emit("snapshot", answer.data);
      }
    });
  }

  /** Drops a connection that may be dead and reconnects at once. */
  #renew(wire: Wire): void {
    this.#triedAt = this.#quietSince = performance.now();
    wire.disconnect().connect();
  }

  #listen(wire: Wire): void {
    wire.on("connect", () => {
      for (const key of this.#watched.keys()) this.#ask(wire, key);
      this.#announce(true);
    });
    wire.on("disconnect", (reason) => {
      this.#announce(false);
      if (reason === "io server disconnect") this.#tryLater(wire);
    });
    wire.on("connect_error", (error) => {
      this.#announce(false);
      const { code, retry_after_s = 0 } = (error as { data?: { code?: number; retry_after_s?: number } }).data ?? {};
      if (code === 401 || code === KICKED) bus.emit("refused", { code, msg: error.message });
      else if (!wire.active) this.#tryLater(wire, retry_after_s * 1_000);
    });
    wire.onAny(() => (this.#quietSince = performance.now()));
    forward(wire);
  }

  /** socket.io does not reconnect after the server disconnects or refuses, so we do: as late as the server says. */
  #tryLater(wire: Wire, atLeastMs = 0): void {
    const { again, spread } = this.#times;
    const retry = () => void (wire === this.#wire && !wire.active && wire.connect());
    setTimeout(retry, Math.max(again, atLeastMs) + jitter(spread));
  }

  #announce(up: boolean): void {
    if (this.#isUp === up) return;
    this.#isUp = up;
    bus.emit("connection", { up });
  }
}

/** Puts every push on the bus under the client's name for it. */
function forward(wire: Wire): void {
  wire.on("hello", (hello) => {
    serverTime.forget();
    serverTime.update(hello.server_now_ms);
    bus.emit("hello", hello);
  });
  wire.on("lottery:countdown", (countdown) => {
    serverTime.update(countdown.server_now_ms);
    bus.emit("countdown", countdown);
  });
  wire.on("fair:head", (told) => bus.emit("closing", told));
  wire.on("fair:beacon", (beacon) => bus.emit("beacon", beacon));
  wire.on("fair:cosigned", (cosigned) => bus.emit("cosigned", cosigned));
  wire.on("lottery:watching", (watching) => bus.emit("watching", watching));
  wire.on("lottery:result", (result) => bus.emit("result", result));
  wire.on("order:settled", (settled) => bus.emit("settled", settled));
  wire.on("balance:change", (change) => bus.emit("balance", change));
  wire.on("record:change", (record) => bus.emit("record", record));
  wire.on("member:change", (status) => bus.emit("accountStatus", status));
  wire.on("session:kick", (kick) => bus.emit("kick", kick));
  wire.on("message:new", (message) => bus.emit("message", message));
  wire.on("message:read", (read) => bus.emit("messagesRead", read));
  wire.on("history:change", (history) => bus.emit("history", history));
  wire.on("support:change", (change) => bus.emit("support", change));
  wire.on("notice:new", (notice) => bus.emit("notice", notice));
  wire.on("site:change", (changed) => bus.emit("site", changed));
  wire.on("server:away", () => bus.emit("serverAway", { away: true }));
  wire.on("server:back", () => bus.emit("serverAway", { away: false }));
}
