import { tryCredit, tryKick, tryLock, tryReversal } from "./model-operator.ts";
import type { Operation } from "./model-operations.ts";
import type { Attempt, Of, Play, Seat } from "./model-interfaces.ts";
import {
  seconds,
  tellSecurity,
  times,
  tryAgain,
  tryBet,
  tryBuy,
  tryLimit,
  tryOrder,
  verdictOf,
} from "./model-requests.ts";
import { PASSWORD, tryBind, tryDecide, tryWithdraw } from "./model-withdrawals.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { notify } from "./top-up.ts";

type Attempts = { [K in Operation["does"]]: (play: Play, seat: Seat, operation: Of<K>) => Attempt };

const ATTEMPTS: Attempts = {
  nothing: () => ({ calls: [], expected: [], idle: true }),
  bet: tryBet,
  order: tryOrder,
  buy: tryBuy,
  bind: tryBind,
  withdraw: tryWithdraw,
  decide: tryDecide,
  retry: tryAgain,
  notify: tryNotice,
  limit: (play, seat, { field, units }) =>
    tryLimit(play, seat, { [field]: String(units ?? "") }, (now) =>
      seat.model.setLimit(field, units === null ? null : units * 100, now),
    ),
  exclude(play, seat, { days }) {
    const until = seconds(play.w.now()) + days * 86_400;
    const input = { exclude_until: String(until) };
    return tryLimit(play, seat, input, (now) => seat.model.exclude(days, until * 1000, now));
  },
  credit: tryCredit,
  reverse: tryReversal,
  lock: tryLock,
  kick: tryKick,
  login: tryLogin,
};

/** Lets the model predict an operation's outcome, and returns the calls that ask the server for the same. */
export function attempt<K extends Operation["does"]>(play: Play, seat: Seat, operation: Of<K>): Attempt {
  return ATTEMPTS[operation.does](play, seat, operation);
}

/** A notification of the channel about one of the latest orders; older ones have lapsed. */
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
  const pays = status === "paid" && pay(play, model, known);
  const isHeld = status === "paid" && !pays && known.status === "failed";
  const fails = status === "failed" && known.status === "waiting";
  if (pays) play.rows.transfers++;
  if (pays || fails) known.status = status;
  if (isHeld) known.status = "review";
  play.rows.outbox += pays ? 2 : fails || isHeld ? 1 : 0;
  return { calls, expected: times(count, () => "done"), idle: !pays };
}

/** Whether a payment is credited: at once; or, for a lapsed order, if the member may top up now. */
function pay({ w }: Play, model: Seat["model"], { units, status, expiresAt }: Seat["orders"][number]): boolean {
  if (status === "failed") return model.payLate(units * 100, expiresAt - 30 * MINUTE_MS, w.now());
  if (status === "waiting") model.change(units * 100);
  return status === "waiting";
}

/** Logs in again, kicked or not; a locked member is refused. */
function tryLogin(play: Play, seat: Seat): Attempt {
  const { model, username } = seat;
  const verdict = model.locked ? "member.locked" : "done";
  if (verdict === "done") {
    model.kicked = false;
    seat.provenAt = play.w.now();
    play.rows.sessions++;
    // The session before was opened without a browser's name; from the first login on it is known.
    if (!seat.isDeviceKnown) tellSecurity(play);
    seat.isDeviceKnown = true;
  }
  async function call(): Promise<string> {
    const reply = await play.w.call("/member/doLogin", { username, password: PASSWORD });
    if (reply.code === 200) seat.token = reply.data.token;
    return verdictOf(reply);
  }
  return { calls: [call], expected: [verdict], idle: true };
}
