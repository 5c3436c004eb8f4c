import { eq } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import type { Deps, MemberOutcome } from "#server/app/deps.ts";
import { noBets, type Count } from "#server/domains/lottery/count-bets.ts";
import { readCount, readOutcomes } from "#server/domains/lottery/read-outcomes.ts";
import { betWireId, roundView } from "#server/domains/lottery/views.ts";
import { rooms, type Outcome, type Result } from "#shared/contract/events.ts";
import { formatMoney } from "#shared/format.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import type { HubSocket, RunningHub } from "./socket.ts";
import { inBatches, emitJson, emitToRoom } from "./emit.ts";

/** A new round's countdown waits for the results of the one before, but no longer than this. */
const LONGEST_WAIT_MS = 1_000;
/** How long what this process credited may still be on its way. */
const OWN_DELIVERY_MS = 300;
/** Rounds kept in mind: those of many games at once. */
const MOST_CACHED = 20;

/** A drawn round on its way to everybody here. */
interface Delivery {
  gameId: number;
  /** Whoever has no bet on it knows. */
  isSentToOthers: boolean;
  /** Members whose part is still to come, where this process settles the round. */
  left: number | null;
  /** Who of those here has heard their part. */
  delivered: Set<number>;
  /** What everybody's bets come to, where another process settles it. */
  count: Promise<Count> | null;
  over: Promise<void>;
  end: () => void;
}

/**
 * Tells a drawn round: at once to watchers who have no bet on it, and to each member who has one as soon as their part
 * is committed, result, win and balance in one packet. Parts that this process credits are told one by one; those that
 * another one credited, when that says it is done.
 */
export class Results {
  readonly #hub: RunningHub;
  readonly #deps: Deps;
  readonly #results = new Map<number, Promise<Result>>();
  readonly #deliveries = new Map<number, Delivery>();
  #tail: Promise<void> = Promise.resolve();

  constructor(hub: RunningHub, deps: Deps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  listen(): void {
    const { bus } = this.#deps;
    bus.on("round.drawn", ({ gameId, roundId, by }) => {
      const delivery = this.#begin(gameId, roundId);
      if (by === this.#deps.process) return;
      delivery.count = this.#count(roundId);
      this.#inOrder(async () => this.#sendToOthers(roundId, new Set((await delivery.count!).members.keys())));
    });
    bus.on("round.counted", ({ roundId, bettors }) => this.#inOrder(() => this.#counted(roundId, bettors)));
    bus.on("round.credited", ({ roundId, outcomes }) => this.#inOrder(() => this.#credited(roundId, outcomes)));
    bus.on("round.settled", ({ gameId, roundId }) => {
      const sendRest = () => this.#inOrder(() => this.#sendRest(gameId, roundId));
      const delivery = this.#deliveries.get(roundId);
      const isOwn = delivery && !delivery.count && delivery.left !== 0;
      // What this process credited itself is on its way here by a shorter road.
      if (isOwn) setTimeout(sendRest, OWN_DELIVERY_MS).unref();
      else sendRest();
    });
    // What it pays is not known yet; its dice are.
    bus.on("round.failed", ({ roundId }) =>
      this.#inOrder(async () => {
        if (this.#deliveries.has(roundId)) await this.#sendToOthers(roundId, new Set());
        this.#deliveries.get(roundId)?.end();
      }),
    );
  }

  /** Resolves once nothing of the game is left to tell: results are what everybody waits for. */
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
      count: null,
      over,
      end,
    };
    this.#deliveries.set(roundId, delivery);
    if (this.#deliveries.size > MOST_CACHED) this.#deliveries.delete(this.#deliveries.keys().next().value!);
    return delivery;
  }

  #inOrder(work: () => Promise<void>): void {
    const fail = (error: unknown) => this.#deps.log.error({ err: error }, "could not tell a result");
    this.#tail = this.#tail.then(work).catch(fail);
  }

  #resultOf(roundId: number): Promise<Result> {
    let result = this.#results.get(roundId);
    if (!result) {
      result = readResult(this.#deps, roundId);
      this.#results.set(roundId, result);
      if (this.#results.size > MOST_CACHED) this.#results.delete(this.#results.keys().next().value!);
    }
    return result;
  }

  async #counted(roundId: number, bettors: Float64Array): Promise<void> {
    await this.#sendToOthers(roundId, new Set(bettors));
    const delivery = this.#deliveries.get(roundId);
    if (!delivery) return;
    delivery.left ??= bettors.length;
    if (delivery.left === 0) delivery.end();
  }

  async #credited(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    await this.#sendToBettors(roundId, outcomes);
    const delivery = this.#deliveries.get(roundId);
    if (delivery?.left == null) return;
    delivery.left -= outcomes.length;
    if (delivery.left === 0) delivery.end();
  }

  /** What was credited elsewhere. */
  async #sendRest(gameId: number, roundId: number): Promise<void> {
    const delivery = this.#deliveries.get(roundId) ?? this.#begin(gameId, roundId);
    if (delivery.left !== 0) {
      const { read } = this.#deps.db;
      const { members } = await (delivery.count ?? this.#count(roundId));
      await this.#sendToOthers(roundId, new Set(members.keys()));
      const here = [...members].filter(
        ([memberId]) => this.#hub.byMember.has(memberId) && !delivery.delivered.has(memberId),
      );
      for await (const outcomes of readOutcomes(read, roundId, here)) await this.#sendToBettors(roundId, outcomes);
    }
    delivery.count = null;
    delivery.end();
  }

  /** Without members here there is nobody whose bets would have to be known. */
  async #count(roundId: number): Promise<Count> {
    return this.#hub.byMember.size > 0 ? readCount(this.#deps.db.read, roundId) : noBets();
  }

  async #sendToOthers(roundId: number, own: Set<number>): Promise<void> {
    const delivery = this.#deliveries.get(roundId);
    if (delivery?.isSentToOthers) return;
    if (delivery) delivery.isSentToOthers = true;
    const result = await this.#resultOf(roundId);
    const isOther = ({ data }: HubSocket) => !data.caller || !own.has(data.caller.memberId);
    await emitToRoom(this.#hub.io, rooms.game(result.key), "lottery:result", result, isOther);
  }

  async #sendToBettors(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const delivered = this.#deliveries.get(roundId)?.delivered ?? new Set();
    const result = await this.#resultOf(roundId);
    const room = rooms.game(result.key);
    const head = { watching: open(result), elsewhere: open({ key: result.key, expect: result.expect }) };
    await inBatches(outcomes, (outcome) => {
      const sockets = this.#hub.byMember.get(outcome.memberId);
      if (!sockets || delivered.has(outcome.memberId)) return;
      delivered.add(outcome.memberId);
      for (const socket of sockets) {
        const mine = JSON.stringify(outcomeView(outcome, this.#deps, socket));
        if (socket.rooms.has(room)) emitJson(socket, "lottery:result", `${head.watching},"mine":${mine}}`);
        else emitJson(socket, "order:settled", `${head.elsewhere},${mine.slice(1)}`);
      }
    });
  }
}

/** An object's JSON without its end, so that more can be put in. */
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

async function readResult({ db }: Deps, roundId: number): Promise<Result> {
  const [found] = await db.read
    .select({ round: rounds, key: games.key, kind: games.kind })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, roundId));
  const { round, key, kind } = found!;
  return { key, expect: roundText(round), ...roundView(kind, round.dice!), seed: round.seed! };
}
