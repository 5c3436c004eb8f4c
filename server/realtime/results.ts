import { eq } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import type { Deps, MemberOutcome } from "#server/app/deps.ts";
import type { CountedMember } from "#server/domains/lottery/count-bets.ts";
import { readCounted, readOutcomes } from "#server/domains/lottery/read-outcomes.ts";
import { headOfClosing } from "#server/domains/log/read-log.ts";
import { betWireId, roundView } from "#server/domains/lottery/views.ts";
import { rooms, type Outcome, type Result } from "#shared/contract/events.ts";
import { formatMoney } from "#shared/format.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import type { HubSocket } from "./socket.ts";
import type { RunningHub } from "./watchers.ts";
import { inBatches, emitJson, emitToRoom } from "./emit.ts";

/** A new round's countdown waits for the results of the one before, but no longer than this. */
const LONGEST_WAIT_MS = 1_000;
/** How long this process's own credits may still be on their way. */
const OWN_DELIVERY_MS = 300;
/** Results cached: enough for many games at once. */
const MOST_CACHED = 20;
/** Rounds that were told, kept for what may still come of them. All others are kept: one that failed waits for its retry. */
const MOST_TOLD = 20;
/** A rest that could not be read is read again so often, with this pause. */
const MOST_TRIES = 30;
const RETRY_MS = 1_000;

/** What members here bet on a round that another process settles. */
interface OwnBets {
  /** Who was here when they were read. */
  asked: ReadonlySet<number>;
  members: ReadonlyMap<number, CountedMember>;
}

/** The delivery of a drawn round to this process's sockets. */
interface Delivery {
  gameId: number;
  /** Members without a bet on the round already have the result. */
  isSentToOthers: boolean;
  /** Members whose part is not credited yet, where this process settles the round. */
  left: number | null;
  /** Members here who have got their part. */
  delivered: Set<number>;
  /** What they bet, where another process settles the round. */
  bets: Promise<OwnBets> | null;
  /** Everybody has heard of it. */
  isTold: boolean;
  over: Promise<void>;
  end: () => void;
}

/**
 * Pushes the result of a drawn round. Watchers without a bet get it at once. Members with a bet get result, win and
 * balance in one packet, as soon as their part is committed. Parts credited by this process are pushed one by one;
 * those of another process when it has settled the round.
 */
export class Results {
  readonly #hub: RunningHub;
  readonly #deps: Deps;
  readonly #results = new Map<number, Promise<Shown>>();
  readonly #deliveries = new Map<number, Delivery>();
  /** Settled rounds that members here may not have heard of yet, in the order of their settling. */
  readonly #rests = new Map<number, { gameId: number; tries: number }>();
  #tail: Promise<void> = Promise.resolve();

  constructor(hub: RunningHub, deps: Deps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  listen(): void {
    const { bus } = this.#deps;
    bus.on("round.drawn", ({ gameId, roundId, by }) => {
      // This process may settle the round, and hear of the draw only then.
      const delivery = this.#deliveries.get(roundId) ?? this.#begin(gameId, roundId);
      if (by === this.#deps.process) return;
      delivery.bets = this.#readBets(roundId);
      // It may fail long before its turn comes, which would end the server. Whoever waits for it hears of it.
      delivery.bets.catch(() => undefined);
      this.#inOrder(async () => this.#sendToOthers(roundId, new Set((await delivery.bets!).members.keys())));
    });
    bus.on("round.counted", ({ roundId, bettors }) => this.#inOrder(() => this.#counted(roundId, bettors)));
    bus.on("round.credited", ({ roundId, outcomes }) => this.#inOrder(() => this.#credited(roundId, outcomes)));
    bus.on("round.settled", ({ gameId, roundId }) => {
      this.#rests.set(roundId, { gameId, tries: 0 });
      const sendRest = () =>
        this.#inOrder(async () => {
          await this.#sendRestsBefore(gameId, roundId);
          await this.#sendRest(roundId);
        });
      const delivery = this.#deliveries.get(roundId);
      const isOwn = delivery && !delivery.bets && delivery.left !== 0;
      // This process's own credits arrive over its local bus.
      if (isOwn) setTimeout(sendRest, OWN_DELIVERY_MS).unref();
      else sendRest();
    });
    // The payouts are not known yet, but the dice are.
    bus.on("round.failed", ({ roundId }) =>
      this.#inOrder(async () => {
        const delivery = this.#deliveries.get(roundId);
        if (!delivery) return;
        await this.#sendToOthers(roundId, new Set());
        delivery.end();
      }),
    );
  }

  /** Resolves once the game's results are delivered: they go before a new countdown. */
  async delivered(gameId: number): Promise<void> {
    const open = [...this.#deliveries.values()].filter((round) => round.gameId === gameId);
    await Promise.all(open.map(({ over }) => over));
  }

  #begin(gameId: number, roundId: number): Delivery {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LONGEST_WAIT_MS).unref();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const delivery: Delivery = {
      gameId,
      isSentToOthers: false,
      left: null,
      delivered: new Set(),
      bets: null,
      isTold: false,
      over,
      end,
    };
    const told = [...this.#deliveries].filter(([, { isTold }]) => isTold);
    if (told.length > MOST_TOLD) this.#deliveries.delete(told[0]![0]);
    this.#deliveries.set(roundId, delivery);
    return delivery;
  }

  #inOrder(work: () => Promise<void>): void {
    this.#tail = this.#noted(this.#tail.then(work));
  }

  #noted(work: Promise<void>): Promise<void> {
    return this.#deps.background.run(work, "a result could not be sent to the sockets");
  }

  #resultOf(roundId: number): Promise<Shown> {
    let result = this.#results.get(roundId);
    if (!result) {
      const asked = readResult(this.#deps, roundId);
      result = asked;
      this.#results.set(roundId, asked);
      // What could not be read is read again.
      asked.catch(() => this.#results.get(roundId) === asked && this.#results.delete(roundId));
      if (this.#results.size > MOST_CACHED) this.#results.delete(this.#results.keys().next().value!);
    }
    return result;
  }

  /** What was sent of a round whose parts are credited here. It may be credited before its draw is heard of. */
  async #deliveryOf(roundId: number): Promise<Delivery> {
    const { gameId } = await this.#resultOf(roundId);
    return this.#deliveries.get(roundId) ?? this.#begin(gameId, roundId);
  }

  async #counted(roundId: number, bettors: Float64Array): Promise<void> {
    const delivery = await this.#deliveryOf(roundId);
    await this.#sendRestsBefore(delivery.gameId, roundId);
    await this.#sendToOthers(roundId, new Set(bettors));
    delivery.left ??= bettors.length;
    if (delivery.left === 0) delivery.end();
  }

  async #credited(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const delivery = await this.#deliveryOf(roundId);
    await this.#sendRestsBefore(delivery.gameId, roundId);
    await this.#sendToBettors(roundId, outcomes);
    if (delivery.left === null) return;
    delivery.left -= outcomes.length;
    if (delivery.left === 0) delivery.end();
  }

  /** Pushes what is left of the game's rounds that were settled before this one: members hear of credits in their order. */
  async #sendRestsBefore(gameId: number, roundId: number): Promise<void> {
    for (const [settledId, rest] of this.#rests) {
      if (settledId === roundId) return;
      if (rest.gameId === gameId) await this.#noted(this.#sendRest(settledId));
    }
  }

  /** Pushes what is left of a settled round. What cannot be read now is read again: nobody asks for a result that is late. */
  async #sendRest(roundId: number): Promise<void> {
    const rest = this.#rests.get(roundId);
    if (!rest) return;
    try {
      await this.#sendOthersParts(rest.gameId, roundId);
      this.#rests.delete(roundId);
    } catch (error) {
      rest.tries++;
      if (rest.tries < MOST_TRIES) setTimeout(() => this.#inOrder(() => this.#sendRest(roundId)), RETRY_MS).unref();
      else this.#rests.delete(roundId);
      throw error;
    }
  }

  /** Pushes the parts that another process credited. */
  async #sendOthersParts(gameId: number, roundId: number): Promise<void> {
    const delivery = this.#deliveries.get(roundId) ?? this.#begin(gameId, roundId);
    if (delivery.left !== 0) {
      const isLeft = (memberId: number) => !delivery.delivered.has(memberId);
      const early = delivery.bets?.catch(() => this.#readBets(roundId, isLeft));
      const { asked, members } = await (early ?? this.#readBets(roundId, isLeft));
      await this.#sendToOthers(roundId, new Set([...members.keys(), ...delivery.delivered]));
      // Who has come since the draw was not asked for.
      const late = await this.#readBets(roundId, (memberId) => isLeft(memberId) && !asked.has(memberId));
      const here = [...members, ...late.members].filter(
        ([memberId]) => this.#hub.byMember.has(memberId) && isLeft(memberId),
      );
      for await (const outcomes of readOutcomes(this.#deps.db.read, roundId, here))
        await this.#sendToBettors(roundId, outcomes);
    }
    delivery.bets = null;
    delivery.isTold = true;
    delivery.end();
  }

  async #readBets(roundId: number, isAsked: (memberId: number) => boolean = () => true): Promise<OwnBets> {
    const asked = [...this.#hub.byMember.keys()].filter(isAsked);
    return { asked: new Set(asked), members: await readCounted(this.#deps.db.read, roundId, asked) };
  }

  async #sendToOthers(roundId: number, own: Set<number>): Promise<void> {
    const delivery = this.#deliveries.get(roundId);
    if (delivery?.isSentToOthers) return;
    const { result } = await this.#resultOf(roundId);
    if (delivery) delivery.isSentToOthers = true;
    if (!result) return;
    const isOther = ({ data }: HubSocket) => !data.caller || !own.has(data.caller.memberId);
    await emitToRoom(this.#hub.io, rooms.game(result.key), "lottery:result", result, isOther);
  }

  async #sendToBettors(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const delivered = this.#deliveries.get(roundId)?.delivered ?? new Set();
    const { key, expect, result } = await this.#resultOf(roundId);
    const room = rooms.game(key);
    const head = { watching: result && open(result), elsewhere: open({ key, expect }) };
    await inBatches(outcomes, (outcome) => {
      const sockets = this.#hub.byMember.get(outcome.memberId);
      if (!sockets || delivered.has(outcome.memberId)) return;
      delivered.add(outcome.memberId);
      for (const socket of sockets) {
        const mine = JSON.stringify(outcomeView(outcome, this.#deps, socket));
        if (head.watching !== null && socket.rooms.has(room))
          emitJson(socket, "lottery:result", `${head.watching},"mine":${mine}}`);
        else emitJson(socket, "order:settled", `${head.elsewhere},${mine.slice(1)}`);
      }
    });
  }
}

/** An object's JSON without its closing brace, so that fields can be appended. */
const open = (value: object): string => JSON.stringify(value).slice(0, -1);

function outcomeView({ bets, win, balance, version }: MemberOutcome, deps: Deps, { data }: HubSocket): Outcome {
  return {
    orders: bets.map((bet) => ({ id: betWireId(bet.id), win: toDecimal(bet.win) })),
    win: toDecimal(win),
    money: toDecimal(balance),
    money_value: formatMoney(balance, deps.settings.get("unit"), data.locale),
    version,
  };
}

/** What a round came to. A round whose stakes went back has no result. */
interface Shown {
  gameId: number;
  key: string;
  expect: string;
  result: Result | null;
}

async function readResult({ db }: Deps, roundId: number): Promise<Shown> {
  const [found] = await db.read
    .select({ round: rounds, key: games.key, kind: games.kind })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, roundId));
  const { round, key, kind } = found!;
  const expect = roundText(round);
  const { gameId } = round;
  if (round.refundedAt !== null) return { gameId, key, expect, result: null };
  const head = await headOfClosing(db.read, { game: key, round: expect });
  const { beaconRule: rule, beacon, beaconSignature: beacon_signature } = round;
  const mixed = { seed: round.seed!, rule, beacon, beacon_signature };
  return { gameId, key, expect, result: { key, expect, ...roundView(kind, round.dice!), ...mixed, head } };
}
