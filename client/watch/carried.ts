import type { Heads } from "./heads.ts";
import type { Kept, KeptReceipt } from "./kept.ts";

/** The log that says what becomes of a bet: the one that took it, or a later one whose house still has it. */
export const originNow = ({ carried, origin }: Pick<KeptReceipt, "carried" | "origin">): string => carried ?? origin;

export const isIn = (origin: string | undefined, one: KeptReceipt): boolean =>
  one.origin === origin || one.carried === origin;

/** The bet of that name that a log took, or carries on. */
export const receiptIn = async (
  kept: Kept,
  { member, order }: Pick<KeptReceipt, "member" | "order">,
  origin: string | undefined,
): Promise<KeptReceipt | undefined> =>
  origin === undefined
    ? undefined
    : ((await kept.receipt(member, origin, order)) ??
      (await kept.receipts(member)).find((one) => one.order === order && one.carried === origin));

/** What the house says of a round. `isBefore`: only the log before a restore can have it. */
export interface Stated {
  leaf: string;
  number: number;
  isBefore?: boolean;
}

/**
 * What the house says of a bet's round, if the log has it. The round of a bet that a restore carried on may have been over
 * by then: the log before has it, which nobody can read any more. Then the receipt alone binds what is computed from it.
 */
export async function statedBy(
  heads: Heads,
  said: Stated | null,
  { carried }: Pick<KeptReceipt, "carried">,
): Promise<Stated | null> {
  const isThere = said && (await heads.logged(said));
  return isThere ? said : said && isThere === false && carried !== undefined ? { ...said, isBefore: true } : null;
}
