import { turn } from "./model-clock.ts";
import { same } from "./model-alike.ts";
import type { Play, Seat } from "./model-interfaces.ts";
import { RULES } from "./model-savings.ts";
import { decideOn, PIN } from "./model-withdrawals.ts";
import { attempt } from "./model-attempts.ts";
import { set } from "./operator.ts";

const DAY = 86_400_000;

/** The final checks: every row leads to the wallets, every change is indexed, and no member's money is stuck. */
export async function end(play: Play): Promise<void> {
  await turn(play, { turns: "by", ms: 600_000 });
  same(await play.reader.unsettled(), 0, "rounds without an end");
  same(await play.reader.unindexed(), 0, "rows without an index");
  same(
    await play.reader.gaps(),
    play.games.map(({ gaps }) => gaps),
    "gaps",
  );
  for (const seat of play.seats) await decideAll(play, seat);
  Object.assign(play.rows, await play.reader.rows());
  await turn(play, { turns: "by", ms: 2 * DAY });
  await set(play.w, "max_withdraw", "2000000000");
  for (const seat of play.seats) await cashOut(play, seat);
  Object.assign(play.rows, await play.reader.rows());
  await play.compare();
  same(play.reader.books.held, 0, "what is held");
  same(await play.reader.audit(), [], "the audit");
}

/** Decides every withdrawal still under way: they are refused or paid, in turn. */
async function decideAll(play: Play, { model, savings }: Seat): Promise<void> {
  for (const [i, one] of savings.waiting.entries()) {
    if (i % 2) {
      same(await decideOn(play, one.id, "refuse"), savings.decide(one, "refuse"), `withdrawal ${one.id}`);
      model.change(one.amount);
    } else {
      if (one.status === "review") same(await decideOn(play, one.id, "approve"), savings.decide(one, "approve"), "");
      same(await decideOn(play, one.id, "pay"), savings.decide(one, "pay"), `withdrawal ${one.id}`);
    }
  }
}

/** Withdraws every whole unit of a member who may withdraw at all. */
async function cashOut(play: Play, seat: Seat): Promise<void> {
  const { model, savings } = seat;
  await attempt(play, seat, { does: "lock", locked: false }).calls[0]!();
  await attempt(play, seat, { does: "login" }).calls[0]!();
  if (!savings.hasPin) return;
  if (!savings.bound) await attempt(play, seat, { does: "bind", proves: true, keyed: false, times: 1 }).calls[0]!();
  const units = Math.floor(model.balance / 100);
  if (units < RULES.least) return;
  const { code, reason, data } = await seat.call("/member/setUserWirhdraw", { money: String(units), paypwd: PIN });
  same([code, reason], [200, undefined], `the last withdrawal of ${seat.username}`);
  const id = Number(data.id.slice("wdr_".length));
  same([await decideOn(play, id, "approve"), await decideOn(play, id, "pay")], ["done", "done"], `withdrawal ${id}`);
  model.change(-units * 100);
}
