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
