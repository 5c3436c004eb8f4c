import type { Check } from "#shared/log/fields.ts";
import { isWhole } from "#shared/log/strict.ts";

/** What a value of JSON has to be before anything is computed from it. */
type Shapes = Readonly<Record<string, Check<unknown>>>;
export type ShapeOf<C> = C extends Check<infer T> ? T : never;
type Required<S extends Shapes> = { [N in keyof S]: ShapeOf<S[N]> };
type Optional<S extends Shapes> = { [N in keyof S]?: ShapeOf<S[N]> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A record with these fields. Those of `more` may be missing; others are not read: the house may have added some. */
export function withFields<const S extends Shapes>(fields: S): Check<Required<S>>;
export function withFields<const S extends Shapes, const M extends Shapes>(
  fields: S,
  more: M,
): Check<Required<S> & Optional<M>>;
export function withFields(fields: Shapes, more: Shapes = {}) {
  return (value: unknown): value is never =>
    isRecord(value) &&
    Object.entries(fields).every(([name, check]) => Object.hasOwn(value, name) && check(value[name])) &&
    Object.entries(more).every(([name, check]) => !Object.hasOwn(value, name) || check(value[name]));
}

/** A record with these fields and no others. */
export function onlyFields<const S extends Shapes>(fields: S): Check<Required<S>>;
export function onlyFields<const S extends Shapes, const M extends Shapes>(
  fields: S,
  more: M,
): Check<Required<S> & Optional<M>>;
export function onlyFields(fields: Shapes, more: Shapes = {}) {
  const has = withFields(fields, more);
  const isKnown = (name: string) => Object.hasOwn(fields, name) || Object.hasOwn(more, name);
  return (value: unknown): value is never => has(value) && Object.keys(value).every(isKnown);
}

export const text: Check<string> = (value): value is string => typeof value === "string";
export const number: Check<number> = (value): value is number => typeof value === "number";
export const whole: Check<number> = isWhole;
export const nothing: Check<null> = (value): value is null => value === null;
/** What nobody signed, and nothing is computed from. */
export const anything: Check<unknown> = (_value): _value is unknown => true;

export const exactly =
  <const T extends string>(wanted: T): Check<T> =>
  (value): value is T =>
    value === wanted;

export const listOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check);

export const either =
  <T, U>(one: Check<T>, other: Check<U>): Check<T | U> =>
  (value): value is T | U =>
    one(value) || other(value);
