import { describe, expect, it } from "vitest";
import type { Leaf } from "#shared/log/leaf.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import {
  before,
  checkDates,
  CLOSES,
  drandLog,
  GAME,
  indexOf,
  NEXT,
  OPENS,
  plainLog,
  refunded,
  ROUND,
} from "./drand-log.ts";
import { START } from "./honest-log.ts";

/* What a house dates back, so that it looks as if it had been done before something was known. */

const iso = (at: number) => new Date(at).toISOString();

describe("stakes that went back", () => {
  it("in a log whose draws have told the time were not dated back by an hour", () => {
    const at = CLOSES - HOUR_MS - SECOND_MS;
    const { problems, notes, audit } = checkDates(refunded(drandLog(), at));
    expect(problems).toEqual([
      expect.stringContaining(`${GAME} ${ROUND}: stakes went back at ${iso(at)}, as is said `),
    ]);
    expect(audit).toEqual([
      expect.stringContaining(`the log's refund of round ${GAME} ${ROUND} is dated ${iso(at)}, `),
    ]);
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^${GAME} ${ROUND}: the \`refund\` is dated ${iso(at)}, and the first head`)),
    ]);
  });

  it("nor before the log began, nor where a head follows at once, as under a clock that was set back", () => {
    expect(checkDates(refunded(drandLog(), START - HOUR_MS)).problems).toHaveLength(1);
    const log = refunded(drandLog(), CLOSES - HOUR_MS - SECOND_MS);
    const at = indexOf(log, "refund", { round: ROUND });
    const { time } = log.slice(0, at).findLast((leaf): leaf is Leaf<"time"> => leaf.kind === "time")!;
    expect(checkDates(log.toSpliced(at + 1, 0, { kind: "time", time: time + 1 })).problems).toHaveLength(1);
  });

  it("nor in a log that has shown no beacon yet", () => {
    const log = drandLog();
    const isLater = (leaf: Leaf) => "round" in leaf && leaf.round < ROUND;
    expect(
      checkDates(
        refunded(
          log.filter((leaf) => !isLater(leaf)),
          CLOSES - HOUR_MS - SECOND_MS,
        ),
      ).problems,
    ).toEqual([expect.stringContaining(`${GAME} ${ROUND}: stakes went back at `)]);
  });
});

describe("what is announced", () => {
  it.each([
    ["a pause", { kind: "pause", game: GAME, from: NEXT, reason: "new dice" }],
    ["the end of a pause", { kind: "resume", game: GAME, from: NEXT }],
    ["another beacon", { kind: "beacon", game: GAME, mode: "none", from: NEXT }],
  ] as const)("is told where %s was dated back by two rounds", (_what, leaf) => {
    const at = OPENS - MINUTE_MS + 30 * SECOND_MS;
    const { problems, audit } = checkDates(before(drandLog(), { ...leaf, at }, "open", { round: NEXT }));
    const says = `${GAME}: the \`${leaf.kind}\` from ${NEXT} on is dated ${iso(at)}, and heads that came after that did not hold it.`;
    expect(problems.filter((one) => one.includes("dated"))).toEqual([says]);
    expect(audit).toEqual([
      expect.stringContaining(`the log's ${leaf.kind} of ${GAME} from ${NEXT} is dated ${iso(at)}, `),
    ]);
  });

  it("is told where it is in a head only after the round was to open", () => {
    const log = drandLog();
    const at = OPENS - SECOND_MS;
    const pause = { kind: "pause", game: GAME, from: NEXT, reason: "new dice", at } as const;
    const isGone = (leaf: Leaf) => "round" in leaf && leaf.round >= NEXT;
    const late = before(log, pause, "close", { round: NEXT }).filter((leaf) => !isGone(leaf));
    expect(checkDates(late).problems).toContainEqual(expect.stringMatching(/the `pause` from .* did not hold it\.$/));
  });

  it("may be in a head much later, where none came before: the database was away, or no server ran", () => {
    const log = drandLog();
    const at = OPENS + 10 * SECOND_MS;
    const from = "20260302-0103";
    const quiet = (leaf: Leaf) => {
      const time = leaf.kind === "time" ? leaf.time : null;
      return time !== null && time > at - 5 * SECOND_MS && time < at + 9 * MINUTE_MS;
    };
    const told = before(log, { kind: "pause", game: GAME, from, reason: "", at }, "close", { round: ROUND });
    const { problems, audit } = checkDates(told.filter((leaf) => !quiet(leaf)));
    expect([problems.filter((one) => one.includes("dated")), audit]).toEqual([[], []]);
  });
});

it("a pause that was announced under a clock that had been ahead and was just set right is noted, and no problem", () => {
  const log = plainLog();
  const at = OPENS - 5 * MINUTE_MS;
  const pause = { kind: "pause", game: GAME, from: "20260302-0105", reason: "repairs", at } as const;
  const head = indexOf(log, "close", { round: ROUND }) + 2;
  const { time } = log[head] as Leaf<"time">;
  const { problems, notes, audit } = checkDates(log.toSpliced(head + 1, 0, pause, { kind: "time", time: time + 1 }));
  expect([problems, audit]).toEqual([[], []]);
  expect(notes).toContainEqual(expect.stringContaining(`the \`pause\` is dated ${iso(at)}, and the first head`));
});

describe("a draw that came late and is dated on time", () => {
  it("is noted where its head came two minutes later", () => {
    const log = drandLog();
    const [draw] = log.splice(indexOf(log, "draw", { round: ROUND }), 1);
    const { notes } = checkDates(before(log, draw!, "draw", { round: "20260302-0103" }));
    expect(notes).toContainEqual(expect.stringMatching(new RegExp(`^${GAME} ${ROUND}: the \`draw\` is dated `)));
  });
});
