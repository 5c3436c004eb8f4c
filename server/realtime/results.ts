import { eq } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import type { Deps, MemberOutcome } from "#server/deps.ts";
import { betWireId, diceView } from "#server/domains/lottery/views.ts";
import { rooms, type Outcome, type Result } from "#shared/contract/events.ts";
import { formatMoney } from "#shared/format.ts";
import { sumOf } from "#shared/lottery/dice-sum.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import type { HubSocket, RunningHub } from "./hub.ts";
import { inTurns, say, sayToRoom } from "./say.ts";

/** A new round's countdown waits for the results of the one before, but no longer than this. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Tells a drawn round: at once to watchers who have no bet on it, and to each
 * member who has one as soon as their part is committed, result, win and
 * balance in one packet.
 */
export class Results {
  readonly #hub: RunningHub;
  readonly #deps: Deps;
  readonly #results = new Map<number, Promise<Result>>();
  /** Rounds that are drawn and not yet told to everybody, with what to do then. */
  readonly #untold = new Map<number, { gameId: number; told: Promise<void>; tell: () => void }>();
  #tail: Promise<void> = Promise.resolve();

  constructor(hub: RunningHub, deps: Deps) {
    this.#hub = hub;
    this.#deps = deps;
  }

  listen(): void {
    const { bus } = this.#deps;
    bus.on("round.drawn", ({ gameId, roundId }) => this.#expect(gameId, roundId));
    bus.on("round.counted", ({ roundId, bettors }) => this.#inOrder(() => this.#tellOthers(roundId, bettors)));
    bus.on("round.settled", ({ roundId, outcomes }) => this.#inOrder(() => this.#tellBettors(roundId, outcomes)));
    bus.on("round.finished", ({ roundId }) => this.#inOrder(async () => this.#untold.get(roundId)?.tell()));
  }

  /** Resolves once nothing of the game is left to tell: results are what everybody waits for. */
  async told(gameId: number): Promise<void> {
    const untold = [...this.#untold.values()].filter((round) => round.gameId === gameId);
    await Promise.all(untold.map(({ told }) => told));
  }

  #expect(gameId: number, roundId: number): void {
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LONGEST_WAIT_MS).unref();
    const tell = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#untold.set(roundId, { gameId, told, tell });
    void told.then(() => this.#untold.delete(roundId));
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
      if (this.#results.size > 20) this.#results.delete(this.#results.keys().next().value!);
    }
    return result;
  }

  async #tellOthers(roundId: number, bettors: Float64Array): Promise<void> {
    const result = await this.#resultOf(roundId);
    const own = new Set(bettors);
    const isOther = ({ data }: HubSocket) => !data.caller || !own.has(data.caller.memberId);
    await sayToRoom(this.#hub.io, rooms.game(result.key), "lottery:result", result, isOther);
  }

  async #tellBettors(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const result = await this.#resultOf(roundId);
    const room = rooms.game(result.key);
    const head = { watching: open(result), elsewhere: open({ key: result.key, expect: result.expect }) };
    await inTurns(outcomes, (outcome) => {
      for (const socket of this.#hub.byMember.get(outcome.memberId) ?? []) {
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
    .select({ round: rounds, key: games.key })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, roundId));
  const { round, key } = found!;
  const dice = round.dice!;
  return { key, expect: roundText(round), ...diceView(dice), sum: sumOf(dice), seed: round.seed! };
}
