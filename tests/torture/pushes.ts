import type { ServerEvents } from "#shared/contract/events.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { isDone, nowMs, TestSocket } from "../support/client.ts";
import { cents } from "../support/recompute.ts";
import type { WalletRow } from "../stories/crash-books.ts";
import type { History, RecordingClient } from "./history.ts";
import type { SiteTime } from "./site-time.ts";

type Payload<E extends keyof ServerEvents> = Parameters<ServerEvents[E]>[0];

export interface Pushed {
  /** As the server named it; or `connect`, `watching` once the server said so, and `disconnect`. */
  event: string;
  payload: unknown;
  atMs: number;
  /** The site's time, by a clock that nobody sets. */
  siteMs: number;
}

/** How long a device waits that was refused. */
const AGAIN_MS = 200;

/** What a device was told. */
export type Listener = Pick<Device, "member" | "connections">;

/** So many results may be told to others before a device that watches hears one: its line may be slow. */
const MOST_UNHEARD = 3;
/** What came so shortly before a connection's end may have been under way, in ms. */
const UNDER_WAY_MS = 10_000;

/** A member's device: what its socket was told, connection by connection. */
export class Device {
  readonly member: number;
  readonly #socket: TestSocket;
  /** The lives of the database that it was told of. */
  readonly epochs = new Set<string>();
  #pushed: Pushed[] = [];
  #isClosed = false;

  constructor(client: RecordingClient, game: string, siteNow: () => number) {
    this.member = client.member;
    this.#socket = new TestSocket(client.address, client.token);
    const hear = (event: string, payload: unknown) => {
      this.#pushed.push({ event, payload, atMs: nowMs(), siteMs: siteNow() });
      if (event === "hello") this.epochs.add((payload as Payload<"hello">).epoch);
    };
    this.#socket.socket.onAny(hear);
    // Socket.io does not come again by itself where it was refused or sent away: the database was away, or the session over.
    const comeAgain = () => {
      const { socket } = this.#socket;
      if (this.#isClosed || socket.active) return;
      socket.auth = { ...socket.auth, token: client.token };
      socket.connect();
    };
    this.#socket.socket.on("connect_error", () => void setTimeout(comeAgain, AGAIN_MS));
    this.#socket.socket.on("connect", () => {
      hear("connect", null);
      // A server that dies meanwhile answers on the next connection.
      this.#socket.watch(game).then(
        () => hear("watching", null),
        () => {},
      );
    });
    this.#socket.socket.on("disconnect", () => {
      hear("disconnect", null);
      setTimeout(comeAgain, AGAIN_MS);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.close();
  }

  /** How many events of this name it was told. */
  count(name: keyof ServerEvents): number {
    return this.#pushed.filter(({ event }) => event === name).length;
  }

  /** Forgets all that it was told until now: a part of it is of a state that is lost. */
  forget(): void {
    this.#pushed = [];
  }

  /** The events of each connection. When the database is back, all is asked anew, as on another connection. */
  connections(): Pushed[][] {
    const all: Pushed[][] = [];
    for (const one of this.#pushed) {
      if (one.event === "connect" || one.event === "server:back") all.push([]);
      all.at(-1)?.push(one);
    }
    return all;
  }
}

interface Told {
  version: number;
  money: string;
}

function walletIn({ event, payload }: Pushed): Told[] {
  if (event === "balance:change" || event === "order:settled") return [payload as Told];
  if (event !== "lottery:result") return [];
  const { mine } = payload as Payload<"lottery:result">;
  return mine ? [mine] : [];
}

/** What a round was, by its id in the database. */
export interface PlayedRound {
  /** As pushes name it: its game's key, a space, its number. */
  name: string;
  game: number;
  /** When it was closed, by the server's clock; null where it is not, or was before its time. */
  closedAt: number | null;
}

/**
 * The rules of pushes: each tells a version as the ledger has it; on one connection no version is left out between two
 * of its kind that came, and none comes twice or before an older one; no result comes before its round's closing, and no bet is taken on a round whose result its
 * member has. Transfers are of one kind, the rounds of each game of another: each is pushed in its own order, and what a
 * server that dies has pushed of one says nothing of the others.
 */
export function pushFaults(
  devices: Listener[],
  changes: WalletRow[],
  history: History,
  rounds: Map<number, PlayedRound>,
  time: Pick<SiteTime, "hadShown">,
): string[] {
  const wallets = Map.groupBy(changes, ({ member }) => member);
  const closings = new Map(Array.from(rounds.values(), ({ name, closedAt }) => [name, closedAt]));
  const hasClosed = (name: string, siteMs: number) => {
    const closedAt = closings.get(name) ?? null;
    return closedAt !== null && time.hadShown(closedAt, siteMs);
  };
  return devices.flatMap((device) => {
    const wallet = wallets.get(device.member) ?? [];
    const kinds = Map.groupBy(wallet, ({ cause }) => kindOf(cause, rounds));
    // Bets are answered, and pushed past the others.
    kinds.delete("bet");
    const faults = device.connections().flatMap((pushed) => {
      const told = pushed.flatMap(walletIn);
      const versions = new Set(told.map(({ version }) => version));
      const leftOut = [...kinds.values()].flatMap((rows) => gaps(versions, rows));
      const disordered = [...kinds.values()].flatMap((rows) => disorders(pushed, rows));
      return [...balanceFaults(told, wallet), ...leftOut, ...disordered];
    });
    const others = devices.filter((one) => one !== device);
    return [...faults, ...silences(device, others), ...resultFaults(device, history, hasClosed)].map(
      (text) => `member ${device.member}: ${text}`,
    );
  });
}

/** Connections on which a device watched its game and heard nothing, while others were told results. */
function silences(device: Listener, others: Listener[]): string[] {
  const told = new Map<string, number>();
  for (const { event, payload, atMs } of others.flatMap((one) => one.connections().flat())) {
    if (event !== "lottery:result") continue;
    const { key, expect } = payload as Payload<"lottery:result">;
    told.set(`${key} ${expect}`, Math.min(atMs, told.get(`${key} ${expect}`) ?? Infinity));
  }
  const connections = device.connections();
  return connections.flatMap((pushed, i) => {
    const from = pushed.find(({ event }) => event === "watching")?.atMs ?? Infinity;
    const to = pushed.find(({ event }) => event === "disconnect")?.atMs ?? connections[i + 1]?.[0]?.atMs ?? Infinity;
    if (pushed.some(({ event }) => event === "lottery:result")) return [];
    const missed = [...told].filter(([, atMs]) => atMs > from && atMs < to - UNDER_WAY_MS);
    return missed.length > MOST_UNHEARD ? [`heard no result, while others were told ${missed.length}`] : [];
  });
}

function kindOf(cause: string, rounds: Map<number, PlayedRound>): string {
  const [, what, id] = /^(bet|round)_(\d+)$/.exec(cause) ?? [];
  if (what === "bet") return "bet";
  return what === "round" ? `game ${rounds.get(Number(id))!.game}` : "transfer";
}

function balanceFaults(told: Told[], wallet: WalletRow[]): string[] {
  return told.flatMap(({ version, money }) => {
    const row = wallet[version - 1];
    return row?.balance === cents(money)
      ? []
      : [`pushed ${money} at version ${version}, the ledger has ${row?.balance}`];
  });
}

function gaps(versions: Set<number>, rows: WalletRow[]): string[] {
  const came = rows.map(({ version }) => versions.has(version));
  const [first, last] = [came.indexOf(true), came.lastIndexOf(true)];
  return rows
    .slice(Math.max(first, 0), last + 1)
    .filter(({ version }) => !versions.has(version))
    .map(({ version, cause }) => `version ${version} (${cause}) was not pushed: ${[...versions].join()}`);
}

/** Events of one name tell each version of a kind once, and in its order. */
function disorders(pushed: Pushed[], rows: WalletRow[]): string[] {
  const own = new Set(rows.map(({ version }) => version));
  return [...Map.groupBy(pushed, ({ event }) => event)].flatMap(([event, same]) => {
    const versions = same
      .flatMap(walletIn)
      .map(({ version }) => version)
      .filter((version) => own.has(version));
    return versions.flatMap((version, i) => {
      const before = versions[i - 1] ?? 0;
      if (version > before) return [];
      return [`${event} told version ${version} ${version === before ? "twice" : `after ${before}`}`];
    });
  });
}

function resultFaults(
  device: Listener,
  history: History,
  hasClosed: (name: string, siteMs: number) => boolean,
): string[] {
  const results = new Map<string, number>();
  const faults: string[] = [];
  for (const { event, payload, siteMs, atMs } of device.connections().flat()) {
    if (event !== "lottery:result") continue;
    const { key, expect } = payload as Payload<"lottery:result">;
    if (!hasClosed(`${key} ${expect}`, siteMs)) faults.push(`the result of ${expect} came before its closing`);
    if (!results.has(expect)) results.set(expect, atMs);
  }
  for (const { member, path, input, fromMs, answer, key } of history.asked) {
    if (member !== device.member || path !== placeOrder.path || !answer || !isDone(answer)) continue;
    const isLate = fromMs > (results.get(input.expect!) ?? Infinity);
    const isFirst = () => !history.asked.some((one) => one.key === key && one.member === member && one.fromMs < fromMs);
    if (isLate && isFirst()) faults.push(`a bet on ${input.expect} was taken after its result`);
  }
  return faults;
}
