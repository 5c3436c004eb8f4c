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

/** Sockets told before the event loop may do something else. */
const PER_TURN = 100;

/**
 * Tells a drawn round: at once to watchers who have no bet on it, and to each
 * member who has one as soon as their part is committed, result, win and
 * balance in one packet.
 */
export function tellResults({ io, byMember }: RunningHub, deps: Deps): void {
  const results = new Map<number, Promise<Result>>();
  let tail: Promise<void> = Promise.resolve();
  const inOrder = (work: () => Promise<void>) => {
    tail = tail.then(work).catch((error: unknown) => deps.log.error({ err: error }, "could not tell a result"));
  };

  deps.bus.on("round.counted", ({ roundId, bettors }) => inOrder(() => tellOthers(roundId, bettors)));
  deps.bus.on("round.settled", ({ roundId, outcomes }) => inOrder(() => tellBettors(roundId, outcomes)));

  function resultOf(roundId: number): Promise<Result> {
    let result = results.get(roundId);
    if (!result) {
      result = readResult(deps, roundId);
      results.set(roundId, result);
      if (results.size > 20) results.delete(results.keys().next().value!);
    }
    return result;
  }

  async function tellOthers(roundId: number, bettors: Float64Array): Promise<void> {
    const result = await resultOf(roundId);
    const own = [...bettors].flatMap((memberId) => [...(byMember.get(memberId) ?? [])].map((socket) => socket.id));
    io.to(rooms.game(result.key)).except(own).emit("lottery:result", result);
  }

  async function tellBettors(roundId: number, outcomes: MemberOutcome[]): Promise<void> {
    const result = await resultOf(roundId);
    const room = rooms.game(result.key);
    let told = 0;
    for (const outcome of outcomes) {
      for (const socket of byMember.get(outcome.memberId) ?? []) {
        const mine = outcomeView(outcome, deps, socket);
        if (socket.rooms.has(room)) socket.emit("lottery:result", { ...result, mine });
        else socket.emit("order:settled", { key: result.key, expect: result.expect, ...mine });
        if (++told % PER_TURN === 0) await new Promise(setImmediate);
      }
    }
  }
}

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
