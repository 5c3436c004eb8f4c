import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { placeOrder } from "#shared/contract/lottery.ts";
import type { doRecharge } from "#shared/contract/payments.ts";
import type { buyPlan } from "#shared/contract/wallet.ts";
import type { DataOf, Reply } from "./call.ts";
import { LIMITS, type ModelMember, type Verdict } from "./model.ts";
import type { Attempt, Of, Play, Seat } from "./model-interfaces.ts";

export const PLANS = [
  { id: "plan_7", name: "A week", days: 7, price: 5_050, position: 0 },
  { id: "plan_30", name: "A month", days: 30, price: 30_000, position: 1 },
];

const HOUR = 3_600_000;
export const decimal = (amount: number) => (amount / 100).toFixed(2);
export const seconds = (ms: number) => Math.floor(ms / 1000);
const sorted = (data: unknown) => JSON.stringify(Object.entries(data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
export const isNo = (answer: string) => !answer.startsWith("done");
export const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

interface Request<P extends string> {
  path: P;
  input: Record<string, string>;
  keyed: boolean;
  times: number;
  /** The model's answer to each call: a refusal's reason, or `done` and the data. */
  judge: () => string;
  /** The part of a success's data that is compared. */
  outcome: (data: DataOf<P, "POST">) => string;
}

/** A member's request. Under one idempotency key it takes effect once, however often it is sent. */
export function request<P extends string>(
  play: Play,
  seat: Seat,
  { path, input, keyed, times: count, judge: unbarred, outcome }: Request<P>,
): Attempt {
  const key = keyed ? play.newKey() : undefined;
  const judge = () => seat.model.barred() ?? unbarred();
  const first = judge();
  const expected = [first, ...times(count - 1, () => (keyed && !isNo(first) ? first : judge()))];
  const at = play.w.now();
  async function call(): Promise<string> {
    const reply = await seat.call(path, input, key);
    if (reply.code !== 200) return verdictOf(reply);
    if (key !== undefined && seat.answered.at(-1)?.key !== key) {
      seat.answered.push({ path, key, input, answer: sorted(reply.data), at });
    }
    return `done ${outcome(reply.data)}`;
  }
  return { calls: times(count, () => call), expected, idle: expected.every(isNo), again: keyed && !isNo(first) };
}

export const verdictOf = ({ code, reason }: Reply): Verdict =>
  code === 200 ? "done" : code === 400 ? "input.invalid" : String(reason);

export function tryBet(play: Play, seat: Seat, { game: place, types, units, ahead, ...how }: Of<"bet">): Attempt {
  const { model } = seat;
  const game = play.games[place]!;
  const now = play.w.now();
  const expect = game.expectAt(now, ahead);
  const item = types.join(",");
  const total = units * 100 * types.length;
  const input = { item, money: String(units), lid: `lot_${place + 1}`, mid: "", expect };
  function judge(): string {
    if (units === 0) return "input.invalid";
    if (model.excludedUntil > now) return "member.excluded";
    if (!game.takes(expect, now)) return "round.closed";
    const verdict = model.stake(total, now);
    if (isNo(verdict)) return verdict;
    game.round!.bets.push({ member: model, item, units });
    play.rows.bets++;
    play.rows.keys++;
    return `done ${decimal(total)} ${decimal(model.balance)} ${expect}`;
  }
  const outcome = (data: ReplyOf<typeof placeOrder>) => `${data.total} ${data.balance} ${data.expect}`;
  return request(play, seat, { path: "/game/placeOrder", input, ...how, judge, outcome });
}

export function tryOrder(play: Play, seat: Seat, { units, keyed }: Of<"order">): Attempt {
  const { model, orders } = seat;
  const now = play.w.now();
  function judge(): string {
    if (units === 0) return "input.invalid";
    const isFull = orders.filter(({ status }) => status === "waiting").length >= 5;
    const verdict = model.order(units * 100, now, isFull);
    if (isNo(verdict)) return verdict;
    play.rows.deposits++;
    if (keyed) play.rows.replays++;
    return "done ordered";
  }
  function outcome({ order }: ReplyOf<typeof doRecharge>): string {
    // An order that was cut off and sent again is answered twice.
    if (orders.at(-1)?.order !== order) orders.push({ order, units, status: "waiting", expiresAt: now + HOUR / 2 });
    return "ordered";
  }
  const input = { pay_way: "sandbox", money: String(units) };
  return request(play, seat, { path: "/member/doRecharge", input, keyed, times: 1, judge, outcome });
}

/** A message about the safety of a member's account, and the event that goes with it. */
export function tellSecurity(play: Play): void {
  play.rows.messages++;
  play.rows.outbox++;
}

export function tryBuy(play: Play, seat: Seat, { plan: place, ...how }: Of<"buy">): Attempt {
  const { model } = seat;
  const plan = PLANS[place];
  const now = play.w.now();
  function judge(): string {
    if (model.excludedUntil > now) return "member.excluded";
    if (!plan) return "object.unknown";
    const verdict = model.subscribe(plan.price, plan.days, now);
    if (isNo(verdict)) return verdict;
    play.rows.transfers++;
    play.rows.outbox += 2;
    if (how.keyed) play.rows.replays++;
    return `done ${seconds(model.memberUntil)} ${decimal(model.balance)}`;
  }
  const outcome = (data: ReplyOf<typeof buyPlan>) => `${data.member_until} ${data.money}`;
  return request(play, seat, { path: "/member/buyPlan", input: { id: plan?.id ?? "plan_9" }, ...how, judge, outcome });
}

/** Idempotency keys are stored for a day. */
export function tryAgain(play: Play, seat: Seat, { pick, same, times: count }: Of<"retry">): Attempt {
  const recent = seat.answered.filter(({ at }) => at > play.w.now() - 20 * HOUR).slice(-10);
  const known = recent[pick % recent.length];
  if (!known) return { calls: [], expected: [], idle: true };
  const { path, key, answer } = known;
  const input = { ...known.input };
  const { kicked } = seat.model;
  if (!same && input.money) input.money += "1";
  else if (!same) input.id += "1";
  async function call(): Promise<string> {
    const reply = await seat.call(path, input, key);
    return reply.code === 200 ? `done ${sorted(reply.data)}` : verdictOf(reply);
  }
  return {
    calls: times(count, () => call),
    expected: times(count, () => (kicked ? "session.kicked" : same ? `done ${answer}` : "key.reused")),
    idle: true,
  };
}

/** Limits and breaks: every answer shows all of them. */
export function tryLimit(
  play: Play,
  { call: send, model }: Seat,
  input: Record<string, string>,
  change: (now: number) => Verdict,
): Attempt {
  const now = play.w.now();
  const verdict = change(now);
  async function call(): Promise<string> {
    const reply = await send("/member/limits", input);
    if (reply.code !== 200) return verdictOf(reply);
    const { pending, exclude_until, ...limits } = reply.data;
    const outcome = pending.map(({ name, value, from }) => `${name} ${value} ${from}`);
    const amounts = LIMITS.map((field) => limits[field]);
    return `done ${JSON.stringify([amounts, exclude_until, outcome.sort()])}`;
  }
  const expected = isNo(verdict) ? verdict : `done ${JSON.stringify(viewOf(model, now))}`;
  return { calls: [call], expected: [expected], idle: isNo(verdict) };
}

function viewOf(model: ModelMember, now: number) {
  const amounts = LIMITS.map((field) => (model.limits.has(field) ? model.limits.get(field)! / 100 : null));
  const pending = [...model.pending].map(
    ([field, { value, due }]) => `${field} ${value === null ? null : value / 100} ${seconds(due)}`,
  );
  return [amounts, model.excludedUntil > now ? seconds(model.excludedUntil) : null, pending.sort()];
}
