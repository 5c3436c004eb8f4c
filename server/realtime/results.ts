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
import type { HubSocket, RunningHub } from "./hub.ts";
import { inTurns, say, sayToRoom } from "./emit.ts";

/** A new round's countdown waits for the results of the one before, but no longer than this. */
const LONGEST_WAIT_MS = 1_000;
/** How long what this process credited may still be on its way. */
const OWN_ROAD_MS = 300;
/** Rounds kept in mind: those of many games at once. */
const MOST_KEPT = 20;

/** A drawn round on its way to everybody here. */
interface Telling {
  gameId: number;
  /** Whoever has no bet on it knows. */
  othersKnow: boolean;
  /** Members whose part is still to come, where this process settles the round. */
  left: number | null;
  /** Who of those here has heard their part. */
  told: Set<number>;
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
  readonly #tellings = new Map<number, Telling>();
  #tail: Promise<void> = Promise.resolve();

  constructor(hub: RunningHub, deps: Deps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  listen(): void {
    const { bus } = this.#deps;
    bus.on("round.drawn", ({ gameId, roundId, by }) => {
      const telling = this.#begin(gameId, roundId);
      if (by === this.#deps.process) return;
      telling.count = this.#count(roundId);
      this.#inOrder(async () => this.#tellOthers(roundId, new Set((await telling.count!).members.keys())));
    });
    bus.on("round.counted", ({ roundId, bettors }) => this.#inOrder(() => this.#counted(roundId, bettors)));
    bus.on("round.credited", ({ roundId, outcomes }) => this.#inOrder(() => this.#credited(roundId, outcomes)));
    bus.on("round.settled", ({ gameId, roundId }) => {
      const tellRest = () => this.#inOrder(() => this.#tellRest(gameId, roundId));
      const telling = this.#tellings.get(roundId);
      const isOwn = telling && !telling.count && telling.left !== 0;
      // What this process credited itself is on its way here by a shorter road.
      if (isOwn) setTimeout(tellRest, OWN_ROAD_MS).unref();
      else tellRest();
    });
    // What it pays is not known yet; its dice are.
    bus.on("round.failed", ({ roundId }) =>
      this.#inOrder(async () => {
        if (this.#tellings.has(roundId)) await this.#tellOthers(roundId, new Set());
        this.#tellings.get(roundId)?.end();
      }),
    );
  }

  /** Resolves once nothing of the game is left to tell: results are what everybody waits for. */
  async told(gameId: number): Promise<void> {
    const open = [...this.#tellings.values()].filter((round) => round.gameId === gameId);
    await Promise.all(open.map(({ over }) => over));
  }

  #begin(gameId: number, roundId: number): Telling {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LONGEST_WAIT_MS).unref();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const telling: Telling = { gameId, othersKnow: false, left: null, told: new Set(), count: null, over, end };
    this.#tellings.set(roundId, telling);
    if (this.#tellings.size > MOST_KEPT) this.#tellings.delete(this.#tellings.keys().next().value!);
    return telling;
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
      if (this.#results.size > MOST_KEPT) this.#results.delete(this.#results.keys().next().value!);
    }
    return result;
  }

  async #counted(roundId: number, bettors: Float64Array): Promise<void> {
    await this.#tellOthers(roundId, new Set(bettors));
    const telling = this.#tellings.get(roundId);
    if (!telling) return;
    telling.left ??= bettors.length;
    if (telling.left === 0) telling.end();
  }

  async #credited(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    await this.#tellBettors(roundId, outcomes);
    const telling = this.#tellings.get(roundId);
    if (telling?.left == null) return;
    telling.left -= outcomes.length;
    if (telling.left === 0) telling.end();
  }

  /** What was credited elsewhere. */
  async #tellRest(gameId: number, roundId: number): Promise<void> {
    const telling = this.#tellings.get(roundId) ?? this.#begin(gameId, roundId);
    if (telling.left !== 0) {
      const { read } = this.#deps.db;
      const { members } = await (telling.count ?? this.#count(roundId));
      await this.#tellOthers(roundId, new Set(members.keys()));
      const here = [...members].filter(([memberId]) => this.#hub.byMember.has(memberId) && !telling.told.has(memberId));
      for await (const outcomes of readOutcomes(read, roundId, here)) await this.#tellBettors(roundId, outcomes);
    }
    telling.count = null;
    telling.end();
  }

  /** Without members here there is nobody whose bets would have to be known. */
  async #count(roundId: number): Promise<Count> {
    return this.#hub.byMember.size > 0 ? readCount(this.#deps.db.read, roundId) : noBets();
  }

  async #tellOthers(roundId: number, own: Set<number>): Promise<void> {
    const telling = this.#tellings.get(roundId);
    if (telling?.othersKnow) return;
    if (telling) telling.othersKnow = true;
    const result = await this.#resultOf(roundId);
    const isOther = ({ data }: HubSocket) => !data.caller || !own.has(data.caller.memberId);
    await sayToRoom(this.#hub.io, rooms.game(result.key), "lottery:result", result, isOther);
  }

  async #tellBettors(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const told = this.#tellings.get(roundId)?.told ?? new Set();
    const result = await this.#resultOf(roundId);
    const room = rooms.game(result.key);
    const head = { watching: open(result), elsewhere: open({ key: result.key, expect: result.expect }) };
    await inTurns(outcomes, (outcome) => {
      const sockets = this.#hub.byMember.get(outcome.memberId);
      if (!sockets || told.has(outcome.memberId)) return;
      told.add(outcome.memberId);
      for (const socket of sockets) {
        const mine = JSON.stringify(outcomeView(outcome, this.#deps, socket));
        if (socket.rooms.has(room)) say(socket, "lottery:result", `${head.watching},"mine":${mine}}`);
        else say(socket, "order:settled", `${head.elsewhere},${mine.slice(1)}`);
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
