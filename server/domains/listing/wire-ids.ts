import { Refusal } from "#shared/refusal.ts";

const KINDS = { listing: "lst", city: "cty", comment: "cmt" } as const;
type WireKind = keyof typeof KINDS;

export const wireId = (kind: WireKind, id: number): string => `${KINDS[kind]}_${id}`;

/** The row that a wire id names. Throws `object.unknown` when it is no id of this kind. */
export function rowOf(kind: WireKind, id: string): number {
  const [, word, number] = /^([a-z]{3})_([1-9]\d{0,14})$/.exec(id) ?? [];
  if (word !== KINDS[kind]) throw new Refusal("object.unknown");
  return Number(number);
}
