import type { PlacedBet } from "./check-bet.ts";
import { receiptPlace, type Kept, type KeptReceipt } from "./kept.ts";
import type { Place } from "./shelf.ts";
import type { Tried } from "./states.ts";

/** A bet that was taken, and whose receipt could not be judged yet; the empty one is owed. */
export interface KeptUnjudged extends KeptReceipt {
  state: "unjudged";
  /** What the screen showed as the bet was placed, and the commit of its round, null if that was not seen. */
  placed: PlacedBet;
  commit: string | null;
  tried: Tried;
}

export const isUnjudged = (one: KeptReceipt): one is KeptUnjudged => one.state === "unjudged";

export const unjudgedPlace = ({ member, order, receipt }: KeptReceipt): Place => ["unjudged", member, order, receipt];

/** Those of a member, or of one bet: the house may have answered it twice, with two receipts. */
export const unjudgedOf = ({ shelf }: Kept, member: string, order?: string): Promise<KeptUnjudged[]> =>
  shelf.list<KeptUnjudged>(["unjudged", member, ...(order === undefined ? [] : [order])]);

export const keepUnjudged = ({ shelf }: Kept, one: KeptUnjudged): Promise<void> =>
  shelf.write({ put: [[unjudgedPlace(one), one]] });

/** It was judged: as what it is kept now. Null where another receipt of the bet stays. */
export const keepJudged = ({ shelf }: Kept, one: KeptUnjudged, kept: KeptReceipt | null): Promise<void> =>
  shelf.write({
    // A receipt that came is no longer owed.
    drop: [unjudgedPlace(one), unjudgedPlace({ ...one, receipt: "" })],
    put: kept ? [[receiptPlace(kept), kept]] : [],
  });
