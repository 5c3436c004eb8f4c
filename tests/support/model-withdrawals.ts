import * as decide from "#server/domains/payments/decide-withdrawal.ts";
import { commit } from "./model-operator.ts";
import type { Attempt, Of, Play, Seat } from "./model-interfaces.ts";
import { decimal, isNo, request, tellSecurity, times } from "./model-requests.ts";
import type { Decision } from "./model-savings.ts";

export const PIN = "246810";
export const PASSWORD = "correct horse";

/** So long a proof is good. */
const FRESH = 5 * 60_000;

/** Binds a bank account: once, only with a pay password, and only after a fresh proof. */
export function tryBind(play: Play, seat: Seat, { proves, ...how }: Of<"bind">): Attempt {
  const { player, savings } = seat;
  if (proves && !seat.model.kicked) seat.provenAt = play.w.now();
  function judge(): string {
    const age = play.w.now() - seat.provenAt;
    if (age < 0 || age >= FRESH) return "proof.needed";
    const verdict = savings.bind();
    if (isNo(verdict)) return verdict;
    play.rows.bankAccounts++;
    tellSecurity(play);
    if (how.keyed) play.rows.replays++;
    return "done bound";
  }
  const bankid = `190366248${String(player.memberId).padStart(5, "0")}`;
  const input = { bankid, bank: "ACB", bank_code: "vn_acb", username: "Mia Tran", mobile: "" };
  const bind = request(play, seat, { path: "/member/setBank", input, ...how, judge, outcome: () => "bound" });
  const prove = (call: () => Promise<string>) => async () => {
    await seat.call("/member/prove", { password: PASSWORD });
    return call();
  };
  return proves ? { ...bind, calls: bind.calls.map(prove) } : bind;
}

/** Over the wire, with the passcode: the test hash is cheap to check. */
export function tryWithdraw(play: Play, seat: Seat, { units, right, ...how }: Of<"withdraw">): Attempt {
  const { model, savings } = seat;
  const now = play.w.now();
  const { isTrusted } = savings;
  function judge(): string {
    if (units === 0) return "input.invalid";
    const no = savings.mayAsk(units * 100, right, now);
    if (savings.isToldNow) tellSecurity(play);
    if (no) return no;
    if (model.balance < units * 100) return "withdraw.beyond";
    if (!savings.fitsDay(now)) return "withdraw.range";
    model.change(-units * 100);
    savings.add(0, units * 100, now);
    play.rows.withdrawals++;
    play.rows.transfers++;
    play.rows.outbox += 2;
    tellSecurity(play);
    if (how.keyed) play.rows.replays++;
    return `done ${decimal(units * 100)}`;
  }
  /** The server assigns the number; the model only knows that there is one more withdrawal. */
  function outcome({ id, money }: { id: string; money: string }): string {
    const number = Number(id.slice("wdr_".length));
    const unnamed = savings.all.find((one) => one.id === 0);
    if (unnamed && !savings.all.some((one) => one.id === number)) unnamed.id = number;
    return money;
  }
  const input = { money: String(units), paypwd: right ? PIN : "000000" };
  const attempt = request(play, seat, { path: "/member/setUserWirhdraw", input, ...how, judge, outcome });
  // A try that was cut off may stay counted as a wrong passcode, which only matters if there are others.
  return { ...attempt, again: attempt.again === true && isTrusted };
}

const STEPS = {
  approve: decide.approveWithdrawal,
  refuse: decide.refuseWithdrawal,
  pay: decide.payWithdrawal,
};

/** The operator decides one of the member's newest withdrawals, or one that does not exist. */
export function tryDecide(
  play: Play,
  { model, savings }: Seat,
  { pick, decision, times: count }: Of<"decide">,
): Attempt {
  const recent = savings.all.slice(-4);
  const one = recent[pick % (recent.length + 1)];
  if (recent.length === 0 && pick % 4) return { calls: [], expected: [], idle: true };
  function judge(): string {
    if (!one) return "object.unknown";
    const verdict = savings.decide(one, decision);
    if (isNo(verdict)) return verdict;
    play.rows.messages++;
    play.rows.outbox += decision === "refuse" ? 2 : 1;
    if (decision !== "approve") play.rows.transfers++;
    if (decision === "refuse") model.change(one.amount);
    return verdict;
  }
  const expected = times(count, judge);
  const call = () => decideOn(play, one?.id ?? 1e9, decision);
  // Only a refund changes the balance, but a payment counts in the same row.
  return { calls: times(count, () => call), expected, idle: decision === "approve" || expected.every(isNo) };
}

export const decideOn = (play: Play, id: number, decision: Decision): Promise<string> =>
  commit(
    play,
    (tx) => STEPS[decision](tx, play.w.deps, id, "Wrong name"),
    () => {},
  );
