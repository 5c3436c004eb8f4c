import fc from "fast-check";
import type { Decision } from "./model-savings.ts";
import { LIMITS, type LimitField } from "./model.ts";

/** What a member, their channel or the operator may try, whatever the outcome. */
export type Operation =
  | { does: "nothing" }
  /** `ahead`: the previous round, the running one or the next. Stakes are whole units; 0 is malformed. */
  | { does: "bet"; game: number; types: string[]; units: number; ahead: number; keyed: boolean; times: number }
  | { does: "order"; units: number; keyed: boolean }
  | { does: "buy"; plan: number; keyed: boolean; times: number }
  /** Reuses an answered key, with the same request or another. */
  | { does: "retry"; pick: number; same: boolean; times: number }
  | { does: "notify"; pick: number; status: "paid" | "failed"; twist: "none" | "amount" | "signature"; times: number }
  | { does: "bind"; proves: boolean; keyed: boolean; times: number }
  | { does: "withdraw"; units: number; right: boolean; keyed: boolean; times: number }
  /** The operator decides a withdrawal. */
  | { does: "decide"; pick: number; decision: Decision; times: number }
  | { does: "credit"; amount: number; booked: boolean }
  | { does: "reverse"; pick: number; times: number }
  | { does: "limit"; field: LimitField; units: number | null }
  | { does: "exclude"; days: number }
  | { does: "lock"; locked: boolean }
  | { does: "kick" }
  | { does: "login" };

export type Clock =
  /** Time passes, and no job runs. */
  | { turns: "unseen"; ms: number }
  | { turns: "by"; ms: number }
  /** To the closing or the end of a game's round, or to midnight; or one millisecond short of it. */
  | { turns: "to"; what: 0 | 1 | "midnight"; end: boolean; short: number }
  | { turns: "restart" }
  /** Kills the server while it answers, or while it draws and settles, after so many turns of the event loop. */
  | { turns: "crash"; during: "requests" | "settling"; after: number };

export interface Step {
  /** One for each member, all sent at once. */
  operations: Operation[];
  clock: Clock;
}

/** The odds of 8 and 13 are not round numbers. */
const TYPES = ["3", "7", "8", "10", "13", "18", "A", "B", "C", "D"];

const pick = fc.nat(1_000);
const times = fc.oneof(
  { weight: 5, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) },
);
const keyed = fc.boolean();
const does = <K extends Operation["does"]>(does: K) => fc.constant(does);
const oneOf = <T>(...choices: [weight: number, value: T][]) =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const units = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 8, arbitrary: fc.integer({ min: 100, max: 2_000 }) },
  { weight: 2, arbitrary: fc.constant(2_000_000_000) },
  { weight: 1, arbitrary: fc.constant(0) },
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 760,
    arbitrary: fc.record({
      does: does("bet"),
      game: fc.nat(1),
      units,
      keyed,
      times,
      types: fc.subarray(TYPES, { minLength: 1, maxLength: 4 }),
      ahead: oneOf([30, 0], [1, -1], [1, 1]),
    }),
  },
  { weight: 60, arbitrary: fc.record({ does: does("retry"), pick, same: fc.boolean(), times }) },
  { weight: 45, arbitrary: fc.record({ does: does("order"), units: fc.nat(400), keyed }) },
  {
    weight: 60,
    arbitrary: fc.record({
      does: does("notify"),
      pick,
      times,
      status: oneOf<"paid" | "failed">([4, "paid"], [1, "failed"]),
      twist: oneOf<"none" | "amount" | "signature">([12, "none"], [1, "amount"], [1, "signature"]),
    }),
  },
  { weight: 15, arbitrary: fc.record({ does: does("buy"), plan: fc.nat(2), keyed, times }) },
  { weight: 25, arbitrary: fc.record({ does: does("bind"), proves: fc.boolean(), keyed, times }) },
  {
    weight: 60,
    arbitrary: fc.record({
      does: does("withdraw"),
      keyed,
      times,
      units: fc.oneof(
        { weight: 10, arbitrary: fc.integer({ min: 15, max: 200 }) },
        { weight: 2, arbitrary: fc.integer({ min: 200, max: 1_600 }) },
        { weight: 1, arbitrary: fc.constant(0) },
      ),
      right: oneOf([9, true], [1, false]),
    }),
  },
  {
    weight: 60,
    arbitrary: fc.record({
      does: does("decide"),
      pick,
      times,
      decision: oneOf<Decision>([4, "approve"], [2, "refuse"], [3, "pay"]),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({ does: does("credit"), amount: fc.integer({ min: 1, max: 60_000 }), booked: keyed }),
  },
  { weight: 20, arbitrary: fc.record({ does: does("reverse"), pick, times }) },
  {
    weight: 40,
    arbitrary: fc.record({
      does: does("limit"),
      field: oneOf(...LIMITS.map((field) => [field.endsWith("day") ? 4 : 1, field] as [number, LimitField])),
      units: fc.option(fc.integer({ min: 50, max: 2_000 }), { freq: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ does: does("exclude"), days: oneOf([8, 1], [4, 2], [1, 42], [1, 180], [2, 0], [2, 60]) }),
  },
  { weight: 3, arbitrary: fc.record({ does: does("lock"), locked: fc.constant(true) }) },
  { weight: 15, arbitrary: fc.record({ does: does("lock"), locked: fc.constant(false) }) },
  { weight: 3, arbitrary: fc.record({ does: does("kick") }) },
  { weight: 40, arbitrary: fc.record({ does: does("login") }) },
);

const clock: fc.Arbitrary<Clock> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ turns: fc.constant("unseen"), ms: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 60, arbitrary: fc.record({ turns: fc.constant("by"), ms: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 4, arbitrary: fc.record({ turns: fc.constant("by"), ms: fc.integer({ min: 600_000, max: 18_000_000 }) }) },
  { weight: 2, arbitrary: fc.record({ turns: fc.constant("by"), ms: fc.integer({ min: 3e7, max: 2.2e8 }) }) },
  {
    weight: 25,
    arbitrary: fc.record({
      turns: fc.constant("to"),
      end: fc.boolean(),
      short: fc.nat(1),
      what: oneOf<0 | 1 | "midnight">([10, 0], [5, 1], [2, "midnight"]),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ turns: "restart" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      turns: fc.constant("crash"),
      during: oneOf<"requests" | "settling">([1, "requests"], [1, "settling"]),
      after: fc.nat(60),
    }),
  },
);

/** Steps, each with one operation per member and one move of the clock. */
export const stepsOf = (members: number, count: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({ operations: fc.array(operation, { minLength: members, maxLength: members, size: "max" }), clock }),
    { minLength: count, maxLength: count, size: "max" },
  );
