import type { Tx } from "#db/connect.ts";
import { lockMember } from "#server/domains/standing/change-standing.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Operation } from "./model-operations.ts";
import type { Play, Seat } from "./model-play.ts";
import { isNo, seconds, times, tryAgain, tryBet, tryBuy, tryLimit, tryOrder, verdictOf } from "./model-requests.ts";
import type { Attempt, Of } from "./model-requests.ts";
import { notify } from "./top-up.ts";

/** Lets the model decide what an operation comes to, and says how to ask the server for the same. */
export function attempt(play: Play, seat: Seat, operation: Operation): Attempt {
  switch (operation.does) {
    case "bet":
      return tryBet(play, seat, operation);
    case "order":
      return tryOrder(play, seat, operation);
    case "buy":
      return tryBuy(play, seat, operation);
    case "retry":
      return tryAgain(play, seat, operation);
    case "notify":
      return tryNotice(play, seat, operation);
    case "limit":
      return tryLimit(play, seat, { [operation.field]: String(operation.units ?? "") }, (now) =>
        seat.model.setLimit(operation.field, operation.units === null ? null : operation.units * 100, now),
      );
    case "exclude": {
      const until = seconds(play.w.now()) + operation.days * 86_400;
      return tryLimit(play, seat, { exclude_until: String(until) }, (now) =>
        seat.model.exclude(operation.days, until * 1000, now),
      );
    }
    case "credit":
      return tryCredit(play, seat, operation);
    case "reverse":
      return tryReversal(play, seat, operation);
    default:
      return tryLock(play, seat, operation);
  }
}

/** What the channel says of an order: of one of the last, old ones are late. */
function tryNotice(play: Play, { model, orders }: Seat, { pick, status, twist, times: count }: Of<"notify">): Attempt {
  const recent = orders.slice(-6);
  const known = recent[pick % recent.length];
  if (!known) return { calls: [], expected: [], idle: true };
  const { order, units } = known;
  const call = async () =>
    verdictOf(
      await notify(play.w, {
        order,
        status,
        money: units + (twist === "amount" ? 1 : 0),
        ...(twist === "signature" && { signature: "00".repeat(32) }),
      }),
    );
  const calls = times(count, () => call);
  if (twist !== "none") {
    const no = twist === "amount" ? "payment.mismatch" : "payment.unsigned";
    return { calls, expected: times(count, () => no), idle: true };
  }
  const pays = status === "paid" && known.status !== "paid";
  const fails = status === "failed" && known.status === "waiting";
  if (pays) {
    model.change(units * 100);
    play.rows.transfers++;
  }
  if (pays || fails) known.status = status;
  play.rows.outbox += pays ? 2 : fails ? 1 : 0;
  return { calls, expected: times(count, () => "done"), idle: !pays };
}

/** Done by the operator, who has no wire. */
async function commit<T>(play: Play, work: (tx: Tx) => Promise<T>, then: (done: T) => void): Promise<string> {
  try {
    then(await play.w.deps.db.transact(work));
    return "done";
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

function tryCredit(play: Play, { player, model, credits }: Seat, { amount }: Of<"credit">): Attempt {
  model.change(amount);
  play.rows.transfers++;
  play.rows.outbox++;
  const call = () =>
    commit(
      play,
      (tx) => creditMember(tx, play.w.deps, player.memberId, amount, "a gift"),
      ({ transferId }) => credits.push({ id: transferId, amount, reversible: true }),
    );
  return { calls: [call], expected: ["done"], idle: false };
}

function tryReversal(play: Play, { model, credits }: Seat, { pick, times: count }: Of<"reverse">): Attempt {
  const credit = credits[pick % (credits.length + 1)];
  function judge(): string {
    if (!credit) return "object.unknown";
    if (!credit.reversible) return "transfer.irreversible";
    const verdict = model.pay(credit.amount);
    if (isNo(verdict)) return verdict;
    credit.reversible = false;
    play.rows.transfers++;
    play.rows.outbox++;
    return verdict;
  }
  const expected = times(count, judge);
  const call = () =>
    commit(
      play,
      (tx) => reverseCredit(tx, play.w.deps, credit?.id ?? 1e9, "taken back"),
      // A reversal cannot be reversed.
      ({ transferId }) => credits.push({ id: transferId, amount: 0, reversible: false }),
    );
  return { calls: times(count, () => call), expected, idle: expected.every(isNo) };
}

function tryLock(play: Play, { player, model }: Seat, { locked }: Of<"lock">): Attempt {
  const idle = model.locked === locked;
  model.locked = locked;
  play.rows.outbox++;
  const call = () =>
    commit(
      play,
      (tx) => lockMember(tx, play.w.deps, player.memberId, locked),
      () => {},
    );
  return { calls: [call], expected: ["done"], idle };
}
