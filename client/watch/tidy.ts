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

const KEPT_MS = 30 * DAY_MS;
/** More than a month of steady play. The oldest that were checked go first. */
const MOST_CLOSINGS = 2_000;
const MOST_RECEIPTS = 2_000;

/** Drops what is older than 30 days and was checked, and the oldest beyond a number. What was found stays. */
export async function tidy({ shelf }: Kept, now: number): Promise<void> {
  const closings = await shelf.list<KeptClosing>(["closing"]);
  const receipts = await shelf.list<KeptReceipt>(["receipt"]);
  const oldest = dayText(dayOf(now - KEPT_MS));
  const days = [
    ...(await shelf.list<KeptAnchor>(["anchor"])).map((one) => ({ ...one, placeOf: PLACES.anchor })),
    ...(await shelf.list<KeptSeed>(["seed"])).map((one) => ({ ...one, placeOf: PLACES.seed })),
  ].filter(({ day }) => day < oldest);
  const isOld = ({ at }: { at: number }) => at < now - KEPT_MS;
  const isChecked = ({ state }: KeptReceipt) => state === "counted";
  const beyond = <T extends { at: number }>(all: T[], most: number) =>
    all.toSorted((one, other) => other.at - one.at).slice(most);
  const oldClosings = new Set([...closings.filter(isOld), ...beyond(closings, MOST_CLOSINGS)]);
  const isDone = receipts.filter((one) => isOld(one) && isChecked(one));
  const oldReceipts = new Set([...isDone, ...beyond(receipts, MOST_RECEIPTS)]);
  await shelf.write({
    drop: [
      ...[...oldClosings].map(({ origin, game, round }) => PLACES.closing(origin, game, round)),
      ...days.map(({ origin, game, day, placeOf }) => placeOf(origin, game, day)),
      ...[...oldReceipts].map(receiptPlace),
    ],
  });
}
