import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { at, GAME, place, round, said, Spoiled } from "./spoiled-log.ts";

const empty = { game: GAME, round: "20260310-0004" };
const HONEST_NOTES = said(new Spoiled().verdict(), "note");

/** What an honest house can have, and what the check says of it; it calls nothing a problem. */
const NOTED: [title: string, change: (log: Spoiled) => void, ...says: string[]][] = [
  [
    "a round that was opened before the log began",
    (log) => log.after("odds", {}, { ...log.get("close", place), round: "20260301-0024" }),
    `${GAME} 20260301-0024: was opened before this log began, and cannot be checked.`,
  ],
  [
    "a round that opens although a clock that was ahead had named it in a gap",
    (log) =>
      log.before("open", place, { kind: "gap", game: GAME, from: round, to: round, reason: "down", at: at(8, 4) }),
    `${GAME}: the rounds ${round} to ${round} never opened, for the reason \`down\`.`,
    `${GAME} ${round}: was opened after a gap had named it.`,
  ],
  [
    "a round without bets that a wrong clock had opened, and a gap took back",
    (log) => {
      log.remove("draw", empty);
      log.after("close", empty, {
        kind: "gap",
        game: GAME,
        from: empty.round,
        to: empty.round,
        reason: "clock",
        at: at(8, 4),
      });
    },
    `${GAME}: the rounds ${empty.round} to ${empty.round} never opened, for the reason \`clock\`.`,
  ],
  [
    "a draw before its time",
    (log) => log.change("draw", place, { drawn: log.get("draw", place).due - 3_000 }),
    `${GAME} ${round}: drawn 3 s before it was due.`,
  ],
  [
    "a draw that came late, and says so",
    (log) => log.change("draw", place, { drawn: log.get("draw", place).due + 2 * MINUTE_MS }),
    `${GAME} ${round}: drawn 120 s after it was due.`,
  ],
  [
    "a draw that is dated an hour before its head",
    (log) => log.change("draw", place, { drawn: log.get("draw", place).due - HOUR_MS }),
    `${GAME} ${round}: drawn 3600 s before it was due.`,
    `${GAME} ${round}: the \`draw\` is dated 2026-03-10T04:00:00.000Z, and the first head that holds it 2026-03-10T05:00:57.100Z.`,
  ],
];

describe("a log that is honest, and not perfect", () => {
  it.each(NOTED)("%s is noted", (_title, change, ...says) => {
    const log = new Spoiled();
    change(log);
    const verdict = log.verdict();
    expect(said(verdict, "problem")).toEqual([]);
    expect(said(verdict, "note").filter((note) => !HONEST_NOTES.includes(note))).toEqual(says);
  });

  it("a round that closed early, and one that closed late, are noted", () => {
    const log = new Spoiled();
    log.change("close", place, { closed: log.get("open", place).closes - 5_000 });
    log.change("close", empty, { closed: log.get("open", empty).closes + 65_000 });
    expect(said(log.verdict(), "note")).toEqual(
      expect.arrayContaining([
        `${GAME} ${round}: closed 5 s before its time.`,
        `${GAME} ${empty.round}: closed 65 s after its time.`,
      ]),
    );
  });

  it("what is due is waited for within a day", () => {
    const log = new Spoiled();
    log.endAt(at(8, 20));
    log.remove("draw", place);
    log.remove("settle", place);
    const seals = log.entries.findIndex((leaf) => "kind" in leaf && leaf.kind === "seal" && leaf.at > at(8, 4));
    const rest = log.entries.splice(seals).filter((leaf) => !("kind" in leaf) || leaf.kind !== "seal");
    log.entries.push(...rest);
    const verdict = log.verdict();
    expect(said(verdict, "problem")).toEqual([]);
    expect(said(verdict, "note")).toEqual(
      expect.arrayContaining([
        `${GAME} ${round}: the log has no \`draw\` yet, which was due at 2026-03-10T05:00:00.000Z.`,
        "Money has moved since 2026-03-10T04:59:57.020Z, and no seal covers it yet.",
      ]),
    );
  });

  it("a game that was away tells when no head came, and which anchors are young for it", () => {
    for (const says of [
      "No head came between 2026-03-04T12:09:57.100Z and 2026-03-06T02:00:00.100Z.",
      `${GAME} 20260313: the anchor was logged less than seven days before the first round, because no head had come before. These rounds are not proven.`,
    ])
      expect(HONEST_NOTES).toContain(says);
  });
});
