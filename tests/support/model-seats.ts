import { plans } from "#db/schema/member.ts";
import { give } from "./credentials.ts";
import { ModelMember } from "./model.ts";
import { ModelSavings, RULES } from "./model-savings.ts";
import { PLANS } from "./model-requests.ts";
import { PASSWORD, PIN } from "./model-withdrawals.ts";
import { set } from "./operator.ts";
import type { Seat } from "./model-interfaces.ts";
import type { World } from "./world.ts";

/** Every tenth member has no pay password, and so can never withdraw. */
const WITHOUT_PIN = 10;

/** The site's settings and plans before the first member plays. */
export async function furnish(w: World): Promise<void> {
  await w.deps.db.transact((tx) => tx.insert(plans).values(PLANS));
  await set(w, "min_withdraw", String(RULES.least));
  await set(w, "max_withdraw", String(RULES.most));
  await set(w, "daily_withdraw_count", String(RULES.aDay));
}

/** Creates a member with a hundred units more than the one before. */
export async function seatOf(w: World, place: number): Promise<Seat> {
  const username = `seat_${place + 1}`;
  const player = await w.player(username, { balance: 100 * (place + 1) });
  const hasPin = place % WITHOUT_PIN !== WITHOUT_PIN - 1;
  await give(w, player.memberId, { password: PASSWORD, ...(hasPin && { pin: PIN }) });
  const model = new ModelMember();
  model.change(10_000 * (place + 1));
  const seat: Seat = {
    player,
    username,
    token: player.token,
    model,
    isDeviceKnown: false,
    provenAt: w.now(),
    savings: new ModelSavings(hasPin),
    answered: [],
    orders: [],
    credits: [],
    call: (path, input, key) => w.call(path, input, { token: seat.token, ...(key !== undefined && { key }) }),
  };
  return seat;
}
