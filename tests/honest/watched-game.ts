import { momentNow } from "#client/watch/own-clock.ts";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import type { Event } from "#client/watch/messages.ts";
import { openingIn } from "#client/watch/told-opening.ts";
import type { Result, ServerEvents } from "#shared/contract/events.ts";
import { placeOrder, type Lottery } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import { Client, isDone, type TestSocket } from "../support/client.ts";
import { Phone } from "../cheats/trial/phone.ts";

interface Beginning {
  token: string;
  address: string;
  now: () => number;
  beacons: BeaconCheck;
}

type Payload<E extends keyof ServerEvents> = Parameters<ServerEvents[E]>[0];

const STAKE = 100;

/** A member who watches one game and bets on each of its rounds, with the app's checks on all that comes. */
export class WatchedGame {
  readonly key: string;
  #token: string;
  readonly #member: string;
  readonly #phone: Phone;
  #socket: TestSocket | null = null;
  #shown: Lottery | null = null;
  readonly #expected = new Set<string>();
  readonly #said = new Set<string>();

  private constructor(key: string, token: string, member: string, phone: Phone) {
    this.key = key;
    this.#token = token;
    this.#member = member;
    this.#phone = phone;
  }

  static async begin(key: string, { token, address, now, beacons }: Beginning): Promise<WatchedGame> {
    const { id } = await new Client(address, token).must(getUserInfo);
    const phone = await Phone.begin(address, { token, member: id }, now);
    phone.beacons = beacons;
    const game = new WatchedGame(key, token, id, phone);
    await phone.hear({ type: "member", member: id });
    await game.connect(address);
    return game;
  }

  get address(): string {
    return this.#phone.address;
  }

  /** Goes on with another session. */
  async logIn(token: string): Promise<void> {
    this.#token = token;
    this.#phone.owner!.token = token;
    await this.connect(this.address);
  }

  /** Goes on with another server. */
  async connect(address: string): Promise<void> {
    this.#socket?.close();
    this.#phone.address = address;
    this.#socket = new Client(address, this.#token).connect();
    await this.#socket.until("connect");
    await this.hear();
  }

  /** Takes in all that has come, as the page passes it on, and does what was left for later. */
  async hear(): Promise<void> {
    const socket = this.#socket!;
    // What was sent before the answer is there with it.
    this.#shown = await socket.watch(this.key);
    for (const { event, payload } of socket.received.splice(0))
      for (const told of this.#eventsOf(event, payload)) await this.#phone.hear(told);
    const opening = openingIn(this.#shown);
    if (opening) await this.#phone.hear(opening);
    await this.#phone.wait();
  }

  #eventsOf(event: string, payload: unknown): Event[] {
    if (event === "hello") {
      const { head, witnesses } = payload as Payload<"hello">;
      return head === null ? [] : [{ type: "head", head, witnesses }];
    }
    if (event === "fair:cosigned") return [{ type: "head", head: (payload as Payload<"fair:cosigned">).head }];
    if (event === "fair:head") return [{ type: "closing", told: payload as Payload<"fair:head">, at: momentNow() }];
    if (event === "fair:beacon") return [{ type: "beacon", ...(payload as Payload<"fair:beacon">), at: momentNow() }];
    if (event === "order:settled") return [this.#settled(payload as Payload<"order:settled">)];
    if (event !== "lottery:result") return [];
    const { mine, ...result } = payload as Result;
    return [{ type: "result", result }, ...(mine ? [this.#settled(mine)] : [])];
  }

  #settled({ orders }: { orders: { id: string; win: string }[] }): Event {
    return { type: "settled", orders: orders.map(({ id, win }) => ({ member: this.#member, order: id, win })) };
  }

  /** Bets on the open round by any server. Returns how many bets were taken. */
  async bet(address: string, chance: (below: number) => number): Promise<number> {
    const { state, next_expect: round, kind, id: lid } = this.#shown!;
    if (state !== "open" || round === null) return 0;
    const types = rulesOf(kind).options.map(({ type }) => type);
    const [first, second] = [chance(types.length), chance(types.length - 1)];
    const options = [types[first]!, types.toSpliced(first, 1)[second]!];
    const input = { lid, mid: "", item: options.join(), money: "1", expect: round };
    const answer = await new Client(address, this.#token).ask(placeOrder, input);
    if (!isDone(answer)) return 0;
    const { id: order, receipt } = answer.data;
    await this.take({ order, round, options, stake: STAKE }, receipt);
    return 1;
  }

  /** A bet that was taken, with its receipt. */
  async take(bet: Pick<PlacedBet, "order" | "round" | "options" | "stake">, receipt: string): Promise<void> {
    const placed = { ...bet, member: this.#member, game: this.key, unit: "point" };
    await this.#phone.watcher.answer("take", { placed, receipt });
  }

  /** Asks for the balance, with the end of the member's chain. */
  async readChain(): Promise<void> {
    const { chain, balance_note: note, version, money } = await this.#phone.client.must(getUserInfo);
    const member = this.#member;
    await this.#phone.hear({ type: "chain", member, note: chain }, { type: "balance", member, note, version, money });
  }

  /** What happened is what the phone is to say of it. */
  mayFind(kind: string): void {
    this.#expected.add(`found: ${kind}`);
  }

  /** What the phone found, and should not have. Each is said once. */
  async found(): Promise<string[]> {
    const isNew = (one: string) => !this.#expected.has(one) && !this.#said.has(one);
    const found = [...new Set(await this.#phone.found())].filter(isNew);
    for (const one of found) this.#said.add(one);
    return found;
  }

  close(): void {
    this.#socket?.close();
  }
}
