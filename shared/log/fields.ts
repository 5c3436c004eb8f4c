import { LOCALES } from "#shared/locales.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { parseDay } from "#shared/time.ts";
import { canonical, parseCanonical, type Plain } from "./canonical.ts";
import { isHex, isTime, isWhole } from "./strict.ts";

/** The fields of a leaf, each with its check. A leaf has all of its fields and no others. */
export type Fields = Readonly<Record<string, Check<Plain>>>;
export type Check<T> = (value: unknown) => value is T;
export type Values<F extends Fields> = { [N in keyof F]: F[N] extends Check<infer T> ? T : never };

/** The form of a leaf: its fields, and those of them that say what it is about. No two leaves have the same subject. */
export interface Form<F extends Fields = Fields> {
  fields: F;
  subject: readonly string[];
}

export const form = <const F extends Fields>(fields: F, ...subject: (keyof F & string)[]): Form<F> => ({
  fields,
  subject,
});

export type Forms = Readonly<Record<string, Form>>;
type Kind<F extends Forms> = keyof F & string;
/** A leaf of one of these forms. */
export type Formed<F extends Forms, K extends Kind<F> = Kind<F>> = {
  [One in K]: { kind: One } & Values<F[One]["fields"]>;
}[K];

const LONGEST_TEXT = 1_000;
const matches =
  (pattern: RegExp): Check<string> =>
  (value): value is string =>
    typeof value === "string" && pattern.test(value);

/** Words of the house, maybe none. */
export const words: Check<string> = (value): value is string =>
  typeof value === "string" && value.length <= LONGEST_TEXT && value.isWellFormed();
/** Words of the house in one language, or by language. */
export const texts: Check<string | Readonly<Record<string, string>>> = (value): value is string => {
  if (typeof value !== "object" || value === null) return words(value);
  return Object.entries(value).every(([locale, text]) => LOCALES.some(({ code }) => code === locale) && words(text));
};
/** A game, a kind of game, an option, a currency: short, and without a colon. */
export const code = matches(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
/** What brought a transfer about, as the ledger names it. */
export const cause = matches(/^[!-~]{1,255}$/);
/** An id or number of the house, as members see it. */
export const id = matches(/^[A-Za-z0-9._-]{1,64}$/);
export const whole: Check<number> = isWhole;
/** In ms since the epoch. */
export const time: Check<number> = isTime;
export const hash: Check<string> = isHex;
export const day: Check<string> = (value): value is string => typeof value === "string" && parseDay(value) !== null;
export const round: Check<string> = (value): value is string => typeof value === "string" && parseRound(value) !== null;
/** Where a round's beacon comes from: nowhere, or a round of a drand chain. */
export const beaconRule = matches(/^(none|drand:[0-9a-f]{64}:[1-9][0-9]{0,14})$/);
/** Which rules rounds get: none, or those of a drand chain. */
export const beaconMode = matches(/^(none|drand:[0-9a-f]{64})$/);
/** Bytes in small hex digits, maybe none. */
export const hex = matches(/^([0-9a-f]{2}){0,512}$/);

export const oneOf =
  <const T extends string>(...values: T[]): Check<T> =>
  (value): value is T =>
    (values as unknown[]).includes(value);

export const listOf =
  <T extends Plain>(check: Check<T>, most: number): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= most && value.every(check);

/** Whether a value is a record of just these fields. */
export const recordOf =
  <F extends Fields>(fields: F): Check<Values<F>> =>
  (value): value is Values<F> => {
    if (typeof value !== "object" || value === null) return false;
    const names = Object.keys(value);
    if (names.length !== Object.keys(fields).length) return false;
    return names.every((name) => Object.hasOwn(fields, name) && fields[name]!(value[name as keyof typeof value]));
  };

/** A leaf of one of these forms; null for another kind, a missing field, or one too many. */
export function formed<F extends Forms>(forms: F, value: unknown): Formed<F> | null {
  const { kind, ...rest } = (value ?? {}) as { kind?: unknown };
  if (typeof kind !== "string" || !Object.hasOwn(forms, kind) || Array.isArray(value)) return null;
  return recordOf(forms[kind]!.fields)(rest) ? (value as Formed<F>) : null;
}

/** Its canonical text. Throws if it is no leaf of these forms. */
export function formedText<F extends Forms>(forms: F, leaf: Formed<F>): string {
  if (!formed(forms, leaf)) throw new RangeError(`not of the form ${leaf.kind}`);
  return canonical(leaf as Plain);
}

/** The leaf of a canonical text. */
export const parseFormed = <F extends Forms>(forms: F, text: string): Formed<F> | null =>
  formed(forms, parseCanonical(text));

/** Kind and subject: unique in a log. */
export const subjectOf = <F extends Forms>(forms: F, leaf: Formed<F>): string =>
  [leaf.kind, ...forms[leaf.kind]!.subject.map((name) => leaf[name as keyof typeof leaf])].join(":");
