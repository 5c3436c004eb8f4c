import { and, eq } from "drizzle-orm";
import { placeholder } from "#db/columns.ts";
import { betKeys, bets, games, rounds, spentKeys } from "#db/schema/index.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { refusalOf } from "#server/domains/ledger/refusal-figures.ts";
import { checkPlayAllowed } from "#server/domains/ledger/stake.ts";
import { refuseOnBreak } from "#server/domains/ledger/wallet.ts";
import { isSameRequest } from "#server/domains/keys/same-request.ts";
import type { KeyedRequest } from "#server/http/replay.ts";
import type { placeOrder } from "#shared/contract/lottery.ts";
import type { InputOf, ReplyOf } from "#shared/contract/endpoint.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { maskOf, placeOfType, type Rules } from "#shared/lottery/rules.ts";
import { parseRound, roundText } from "#shared/lottery/schedule.ts";
import { fromUnits, toDecimal, type Money } from "#shared/money.ts";
import { invalid, Refusal, type RefusalReason } from "#shared/refusal.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { BetQueue } from "./bet-queue.ts";
import { countdownView, findGameNow } from "./read-round.ts";
import { betWireId } from "./views.ts";

type Order = InputOf<typeof placeOrder>;
type Placed = ReplyOf<typeof placeOrder>;

/** The codes of every kind's options. */
const CODES = new Set([...GAME_KINDS.values()].flatMap(({ options }) => options.map(({ type }) => type)));

/** No round has this id. */
const NO_ROUND = 0;

/** No round is at this place. */
const NOWHERE = { day: null, number: null };

interface PlayedRound {
  /** As it is named on the wire. */
  expect: string;
  roundId: number;
  /** The game's. */
  key: string;
  rules: Rules;
}

/** What the reply to a repeated key is made from. */
const BET = { id: bets.id, total: bets.total, balanceAfter: bets.balanceAfter };

/** Checks members' orders, queues them for the bet book, and makes the replies. */
export class BetService {
  readonly #deps: Deps;
  readonly #queue: BetQueue;
  readonly #findRound;
  readonly #findKey;
  /** What is read now, by game. */
  readonly #nextRounds = new Map<string, Promise<Record<string, string | number>>>();
  /** A cache, by game: the opened round that was bet on last. Its id never changes. */
  readonly #rounds = new Map<string, PlayedRound>();

  constructor(deps: Deps, queue: BetQueue) {
    this.#deps = deps;
    this.#queue = queue;
    const { read } = deps.db;
    this.#findRound = read
      .select({ id: rounds.id, kind: games.kind, key: games.key })
      .from(games)
      .leftJoin(
        rounds,
        and(eq(rounds.gameId, games.id), eq(rounds.day, placeholder("day")), eq(rounds.number, placeholder("number"))),
      )
      .where(eq(games.id, placeholder("game")))
      .prepare();
    // In this order: a key may move from the first table to the second between the two reads.
    this.#findKey = [betKeys, spentKeys].map((keys) =>
      read
        .select({ requestHash: keys.requestHash, bet: BET, round: { day: rounds.day, number: rounds.number } })
        .from(keys)
        .innerJoin(bets, eq(bets.id, keys.betId))
        .innerJoin(rounds, eq(rounds.id, bets.roundId))
        .where(and(eq(keys.memberId, placeholder("member")), eq(keys.key, placeholder("key"))))
        .prepare(),
    );
  }

  /** The reply that was given before under this idempotency key. */
  async replay({ memberId }: Caller, { key, ...request }: KeyedRequest): Promise<{ answer: Placed } | null> {
    for (const keys of this.#findKey) {
      const [known] = await keys.execute({ member: memberId, key });
      if (!known) continue;
      if (!isSameRequest(request, known.requestHash)) throw new Refusal("key.reused");
      const { id, total, balanceAfter } = known.bet;
      const money = { total: toDecimal(total), balance: toDecimal(balanceAfter) };
      const receipt = await this.#queue.receiptOf(id);
      return { answer: { id: betWireId(id), expect: roundText(known.round), ...money, receipt } };
    }
    return null;
  }

  /** Places a bet on the open round, or refuses it and takes nothing. */
  async place({ memberId }: Caller, order: Order, keyed: KeyedRequest | null): Promise<Placed> {
    // An option that no game has is malformed input, whatever else is wrong with the order.
    if (!order.item.every((type) => CODES.has(type))) throw invalid({ item: "items" });
    checkPlayAllowed(this.#deps, "isplay");
    if (order.mid !== undefined && order.mid !== memberWireId(memberId)) throw new Refusal("bet.foreign");
    const { roundId, key: game, rules } = await this.#roundOf(order, memberId);
    if (order.item.some((type) => placeOfType(rules, type) === undefined)) throw invalid({ item: "items" });
    const stake = fromUnits(order.money);
    const total = stake * order.item.length;
    const answer = await this.#queue.place({
      memberId,
      roundId,
      mask: maskOf(rules, order.item),
      stake,
      total,
      ...(keyed ?? { key: null, requestHash: "" }),
    });
    if ("refused" in answer) throw answer.fault ?? (await this.#explained(answer.refused, { memberId, game, total }));
    const { betId, balance, version, fresh, receipt } = answer;
    if (fresh) {
      this.#deps.bus.emit("wallet.changed", { memberId, delta: -total, code: "stake", balance, version });
    }
    const money = { total: toDecimal(total), balance: toDecimal(balance) };
    return { id: betWireId(betId), expect: order.expect, ...money, receipt };
  }

  /** The refusal with the figures that lead on. */
  async #explained(reason: RefusalReason, { memberId, game, total }: { memberId: number; game: string; total: Money }) {
    const { db, clock } = this.#deps;
    if (reason === "round.closed") return new Refusal(reason, { figures: await this.#nextRound(game) });
    return refusalOf(db.read, reason, { memberId, cost: total, now: clock.now() }, "stake");
  }

  /** Whoever is late comes in a crowd, so one read serves all who ask meanwhile. */
  #nextRound(game: string): Promise<Record<string, string | number>> {
    let asked = this.#nextRounds.get(game);
    if (!asked) {
      asked = this.#readNextRound(game).finally(() => this.#nextRounds.delete(game));
      this.#nextRounds.set(game, asked);
    }
    return asked;
  }

  async #readNextRound(key: string): Promise<Record<string, string | number>> {
    const game = await findGameNow(this.#deps.db.read, key);
    const { state, draw_ms: drawMs } = countdownView(game, this.#deps.clock.now());
    if (drawMs === null) return { state };
    return { state, next_ms: state === "open" ? drawMs - game.periodS * SECOND_MS : drawMs };
  }

  async #roundOf({ lid, expect }: Order, memberId: number): Promise<PlayedRound> {
    const known = this.#rounds.get(lid);
    if (known?.expect === expect) return known;
    const gameId = /^lot_(\d{1,9})$/.exec(lid)?.[1];
    const place = parseRound(expect) ?? NOWHERE;
    const [found] = gameId ? await this.#findRound.execute({ game: Number(gameId), ...place }) : [];
    if (!found) {
      await refuseOnBreak(this.#deps.db.read, memberId, this.#deps.clock.now());
      throw new Refusal("object.unknown");
    }
    // The book refuses a round that was never opened: other reasons come first, and it knows them.
    const played = { expect, roundId: found.id ?? NO_ROUND, key: found.key, rules: rulesOf(found.kind) };
    if (found.id !== null) this.#rounds.set(lid, played);
    return played;
  }
}
