import type { Tx } from "#db/db.ts";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Attempt, Of, Play, Seat } from "./model-interfaces.ts";
import { isNo, times } from "./model-requests.ts";

/** Commits an operator's change, which does not go over HTTP. */
export async function commit<T>(play: Play, work: (tx: Tx) => Promise<T>, then: (done: T) => void): Promise<string> {
  try {
    then(await play.w.deps.db.transact(work));
    return "done";
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

/** A gift, or a top-up from outside every channel. */
export function tryCredit(play: Play, { player, model, credits }: Seat, { amount, booked }: Of<"credit">): Attempt {
  const { deps } = play.w;
  const { memberId } = player;
  model.change(amount);
  play.rows.transfers++;
  play.rows.outbox += booked ? 2 : 1;
  if (booked) play.rows.deposits++;
  const call = () =>
    commit(
      play,
      (tx) =>
        booked
          ? creditDeposit(tx, deps, { memberId, amount, reason: "by hand" })
          : creditMember(tx, deps, memberId, amount, "a gift"),
      ({ transferId }) => credits.push({ id: transferId, amount, reversible: true }),
    );
  return { calls: [call], expected: ["done"], idle: false };
}

export function tryReversal(play: Play, { model, credits }: Seat, { pick, times: count }: Of<"reverse">): Attempt {
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

export function tryLock(play: Play, { player, model }: Seat, { locked }: Of<"lock">): Attempt {
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

/** Ends all of a member's sessions. It does not touch their wallet. */
export function tryKick(play: Play, { player, model }: Seat): Attempt {
  if (!model.kicked) play.rows.outbox++;
  model.kicked = true;
  const call = () =>
    commit(
      play,
      (tx) => kickMember(tx, play.w.deps, player.memberId, null),
      () => {},
    );
  return { calls: [call], expected: ["done"], idle: true };
}
