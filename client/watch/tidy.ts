import { DAY_MS, dayOf, dayText } from "#shared/time.ts";
import {
  PLACES,
  receiptPlace,
  type Kept,
  type KeptAnchor,
  type KeptClosing,
  type KeptReceipt,
  type KeptSeed,
} from "./kept.ts";
import type { Place } from "./shelf.ts";
import { isUnjudged, unjudgedPlace } from "./unjudged.ts";

const KEPT_MS = 30 * DAY_MS;
/** More than a month of steady play. */
const MOST_CLOSINGS = 2_000;
/** Receipts of one member that were checked. */
const MOST_CHECKED = 2_000;
/** Those that were not, or that show what the house did wrong. Whoever keeps more of them is told how many went. */
const MOST_UNCHECKED = 20_000;

const droppedPlace = (member: string): Place => ["dropped", member];

/** How many receipts of a member went before they were checked. */
export const droppedBets = async ({ shelf }: Kept, member: string): Promise<number> =>
  (await shelf.get<number>(droppedPlace(member))) ?? 0;

type Dated = { at: number };
const isOld = ({ at }: Dated, now: number) => at < now - KEPT_MS;
const beyond = <T extends Dated>(all: readonly T[], most: number): T[] =>
  all.toSorted((one, other) => other.at - one.at).slice(most);

/** Drops what is older than 30 days and was checked, and the oldest beyond a number. What was found stays. */
export async function tidy(kept: Kept, now: number): Promise<void> {
  const { shelf } = kept;
  const closings = await shelf.list<KeptClosing>(["closing"]);
  const oldest = dayText(dayOf(now - KEPT_MS));
  const days = [
    ...(await shelf.list<KeptAnchor>(["anchor"])).map((one) => ({ ...one, placeOf: PLACES.anchor })),
    ...(await shelf.list<KeptSeed>(["seed"])).map((one) => ({ ...one, placeOf: PLACES.seed })),
  ].filter(({ day }) => day < oldest);
  const oldClosings = new Set([...closings.filter((one) => isOld(one, now)), ...beyond(closings, MOST_CLOSINGS)]);
  await shelf.write({
    drop: [
      ...[...oldClosings].map(({ origin, game, round }) => PLACES.closing(origin, game, round)),
      ...days.map(({ origin, game, day, placeOf }) => placeOf(origin, game, day)),
    ],
  });
  const receipts = await shelf.list<KeptReceipt>(["receipt"]);
  const unjudged = await shelf.list<KeptReceipt>(["unjudged"]);
  const members = Map.groupBy([...receipts, ...unjudged], ({ member }) => member);
  for (const [member, own] of members) await tidyReceipts(kept, { member, own, now });
}

async function tidyReceipts(kept: Kept, { member, own, now }: { member: string; own: KeptReceipt[]; now: number }) {
  const checked = own.filter(isChecked);
  const old = new Set([...checked.filter((one) => isOld(one, now)), ...beyond(checked, MOST_CHECKED)]);
  const unchecked = own.filter((one) => !isChecked(one));
  const dropped = beyond(unchecked, MOST_UNCHECKED);
  const drop = [...old, ...dropped].map((one) => (isUnjudged(one) ? unjudgedPlace(one) : receiptPlace(one)));
  const count = (await droppedBets(kept, member)) + dropped.length;
  const put = dropped.length > 0 ? [[droppedPlace(member), count] as const] : [];
  if (drop.length > 0) await kept.shelf.write({ drop, put });
}

/** Whether a bet was counted and paid as it had to be, and that reached the balance. */
const isChecked = ({ state, payout }: KeptReceipt): boolean =>
  (state === "counted" || state === "untold") &&
  payout?.isRight === true &&
  (payout.credit === undefined || payout.credit === "there");
