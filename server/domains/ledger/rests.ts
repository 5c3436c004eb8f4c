import type { Money } from "#shared/money.ts";

/*
 * Several returns of one payment may take more than was credited: a refund, and a dispute of the whole. Together they take
 * what was credited, once; the later one gets what the earlier one left. When one ends, the others take what it leaves. What
 * a return says is never changed, so each such rest is a row of its own, and ends with its return.
 */

/** Prefix of the references of rests. */
export const REST = "rest:";

/** The reference of what a return takes beyond what it took before. */
export const restReference = (returnId: number, taken: Money): string => `${REST}${returnId}:${taken}`;

/** The id of the return whose rest a reference names; undefined for any other reference. */
export function returnOfRest(reference: string): number | undefined {
  const [, id] = /^rest:(\d{1,15}):\d+$/.exec(reference) ?? [];
  return id === undefined ? undefined : Number(id);
}
