import {
  anything,
  either,
  exactly,
  listOf,
  nothing,
  number,
  text,
  whole,
  withFields,
} from "#shared/log/evidence/shape.ts";
import { RESULT } from "#shared/log/evidence/result-form.ts";
import type { Check } from "#shared/log/fields.ts";
import type { Event } from "./messages.ts";

const moment = withFields({ clock: number, passed: number });
const flag: Check<boolean> = (value): value is boolean => typeof value === "boolean";
const beaconMode = either(exactly("none"), exactly("drand"));

/** What a push has to be before anything is computed from it. What it says is checked later. */
const FORMS: Record<Event["type"], Check<unknown>> = {
  head: withFields({ head: text }, { witnesses: withFields({ keys: listOf(text), needed: whole }) }),
  closing: withFields({
    told: withFields({
      key: text,
      expect: text,
      head: text,
      close: withFields({ leaf: text, number: whole }),
      path: anything,
      consistency: either(withFields({ from: whole, path: anything }), nothing),
    }),
    at: moment,
  }),
  beacon: withFields({ rule: text, signature: text, at: moment }),
  open: withFields(
    { key: text, expect: text, commit: text, beacon: beaconMode, closes: whole, isOpen: flag },
    { kind: text, period: whole },
  ),
  result: withFields({
    result: withFields({ ...RESULT, head: either(whole, nothing) }),
  }),
  board: withFields({
    game: text,
    kind: text,
    odds: listOf(withFields({ type: text, pays: listOf(text), rtp: number, probability: number })),
  }),
  settled: withFields({ orders: listOf(withFields({ member: text, order: text, win: text })) }),
  member: withFields({ member: text }),
  again: withFields({ member: text }),
  chain: withFields({ member: text, note: text }),
  balance: withFields({ member: text, note: text, version: whole, money: text }),
};

/** Whether what the page passed on has the form that it has from an honest house. */
export const hasForm = (event: Event): boolean => FORMS[event.type](event);

/** The game and the round of a push that has no form, as far as it names them. */
export function placeNamed(event: unknown): { game: string; round: string } {
  const { result, told, ...own } = event as Record<string, unknown>;
  const named = (result ?? told ?? own) as Record<string, unknown>;
  const nameOf = (what: unknown) => (text(what) ? what.slice(0, LONGEST_NAME) : "");
  return { game: nameOf(named["key"]), round: nameOf(named["expect"]) };
}

const LONGEST_NAME = 40;
