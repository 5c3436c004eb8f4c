import type { Reasons } from "./explained-audit.ts";

const ORDERED = "SQLite gives them in the order of their numbers; PostgreSQL promises no order.";
const ONE = "The first of them is taken.";
const SQLITE = "On SQLite nobody comes between the two statements. PostgreSQL's tests run both at once.";
const TOLD = "A round that ended is closed, and its closing was told.";
const OUTSIDE = "Places outside of the range are left out afterwards.";
const AGAIN = "An anchor that is there is not added again.";

/** Mutants of the lottery's rounds on SQLite that no test can notice. */
export const OF_LOTTERY: Reasons = {
  "server/domains/lottery/add-game.ts": [
    ["assertOdds(rules, rules.odds);", ";", "The odds of every kind are held by its own tests."],
  ],
  "server/domains/lottery/advance.ts": [
    [
      "untold = await untoldGames(deps.db.read, closed);",
      ";",
      "The log is asked once more, and has nothing to say by then.",
    ],
    [
      "else if (drawsAt > earlyFrom(game, now)) await attempt(`close ${id}`, closeEarly);",
      "else if (drawsAt >= earlyFrom(game, now)) await attempt(`close ${id}`, closeEarly);",
      "The statement itself asks again, and closes nothing.",
    ],
    ["waiting.toSorted((a, b) => a.id - b.id),", "waiting.toSorted((a, b) => undefined),", ORDERED],
    ["waiting.toSorted((a, b) => a.id - b.id),", "waiting.toSorted((a, b) => a.id + b.id),", ORDERED],
    [
      "return due.map(({ id }) => id).sort((a, b) => a - b);",
      "return due.map(({ id }) => id).sort((a, b) => undefined);",
      ORDERED,
    ],
    [
      "return due.map(({ id }) => id).sort((a, b) => a - b);",
      "return due.map(({ id }) => id).sort((a, b) => a + b);",
      ORDERED,
    ],
    [
      "const askAt = chain ? signedAt(chain, beaconAfter(chain, closesAt)) + PUBLISHED_MS : 0;",
      "const askAt = chain ? signedAt(chain, beaconAfter(chain, closesAt)) + PUBLISHED_MS : 1;",
      "Any time that is over means that nobody is asked.",
    ],
    [
      "const askAt = chain ? signedAt(chain, beaconAfter(chain, closesAt)) + PUBLISHED_MS : 0;",
      "const askAt = chain ? signedAt(chain, beaconAfter(chain, closesAt)) + PUBLISHED_MS : (-1);",
      "Any time that is over means that nobody is asked.",
    ],
  ],
  "server/domains/lottery/beacon-relays.ts": [
    ["const TIMEOUT_MS = 3_000;", "const TIMEOUT_MS = 3001;", "Where exactly a relay is too slow is no promise."],
  ],
  "server/domains/lottery/close-round.ts": [
    [
      ".where(and(between(bets.id, round.fromBet, toBet), eq(bets.roundId, roundId)))",
      ".where(and(undefined, eq(bets.roundId, roundId)))",
      "A round's bets have no other numbers. Without the range all bets are read.",
    ],
    [".limit(1);", ".limit(2);", ONE],
  ],
  "server/domains/lottery/draw-round.ts": [
    [
      'const fresh = closed.rule === NO_BEACON || signature === "" ? "" : randomnessOf(signature);',
      'const fresh = closed.rule === NO_BEACON && signature === "" ? "" : randomnessOf(signature);',
      "The rule allows neither: the round fails with either.",
    ],
    ['if (changed.length === 0) return "before";', 'if (changed.length === (-1)) return "before";', SQLITE],
    ['if (changed.length === 0) return "before";', "if (changed.length === 0) return;", SQLITE],
    ["isNotNull(rounds.closedAt),", "undefined,", "The log tells of no closing before the row has it."],
  ],
  "server/domains/lottery/log-files.ts": [
    [
      'if (!known) return sendRefusal(deps, request, reply, new Refusal("path.unknown"));',
      "if (!known) return;",
      "The app is built where these tests run.",
    ],
    [
      "if (leaves > ((await newestTold(read))?.size ?? 0)) return null;",
      "if (leaves > ((await newestTold(read))?.size ?? (-1))) return null;",
      "A tile holds a leaf at least.",
    ],
  ],
  "server/domains/lottery/log-routes.ts": [
    [
      "serve(app, deps, contract.fairMine, async ({ input: { from = 1 }, caller: { memberId } }) => {",
      "serve(app, deps, contract.fairMine, async ({ input: { from = (0) }, caller: { memberId } }) => {",
      "A member's leaves are counted from 1.",
    ],
    [
      'if (Number.isNaN(betId)) throw new Refusal("object.unknown");',
      "if (Number.isNaN(betId)) ;",
      "SQLite finds no bet of that number either; PostgreSQL would not take it for one.",
    ],
  ],
  "server/domains/lottery/publish-anchors.ts": [
    [
      "for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) days.add(day);",
      "for (let day = last === null ? today : last - 1; day <= today + DAYS_AHEAD; day++) days.add(day);",
      AGAIN,
    ],
    [
      "for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) days.add(day);",
      "for (let day = last === null ? today : last + (0); day <= today + DAYS_AHEAD; day++) days.add(day);",
      AGAIN,
    ],
  ],
  "server/domains/lottery/beacons.ts": [
    [
      "if (!before || seen.signedAt - seen.elapsed > before.signedAt - before.elapsed) this.#sighting = seen;",
      "if (!before || seen.signedAt - seen.elapsed >= before.signedAt - before.elapsed) this.#sighting = seen;",
      "Both say the same of the time.",
    ],
    [
      "if (answer && this.clockOffByMs <= 0) return;",
      "if (answer && this.clockOffByMs <= 1) return;",
      "A clock that is ahead is so by ten seconds at least.",
    ],
  ],
  "server/domains/lottery/gaps.ts": [
    [
      ".where(and(sql`${rounds.gameId} + 0 = ${game.id}`, isBefore(next)))",
      ".where(and(sql`${rounds.gameId} - 0 = ${game.id}`, isBefore(next)))",
      "It keeps the planner from an index just as well.",
    ],
    [".limit(1);", ".limit(2);", ONE],
    [
      "const missed = { from: ordinalOf(game, last) + 1, to: ordinalOf(game, next) - 1 };",
      "const missed = { from: ordinalOf(game, last) + (0), to: ordinalOf(game, next) - 1 };",
      "The last round was opened, and so is left out.",
    ],
    [
      "const ofGap = and(eq(shownPlaces.gameId, game.id), between(shownPlaces.day, gap.fromDay, gap.toDay));",
      "const ofGap = and(eq(shownPlaces.gameId, game.id), undefined);",
      OUTSIDE,
    ],
    [
      "const [first, behind] = [placeOf(game, from), placeOf(game, to + 1)];",
      "const [first, behind] = [placeOf(game, from), placeOf(game, to + 2)];",
      OUTSIDE,
    ],
    [
      "const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      "const isFrom = or(mutantGte(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      OUTSIDE,
    ],
    [
      "const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      "const isFrom = or(gt(rounds.day, first.day), mutantOr(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      OUTSIDE,
    ],
    [
      "const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      "const isFrom = or(gt(rounds.day, first.day), and(undefined, gte(rounds.number, first.number)));",
      OUTSIDE,
    ],
    [
      "const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));",
      "const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), undefined));",
      OUTSIDE,
    ],
    [
      ".where(and(eq(rounds.gameId, game.id), isFrom, isBefore(behind)));",
      ".where(and(eq(rounds.gameId, game.id), undefined, isBefore(behind)));",
      OUTSIDE,
    ],
    [
      ".where(and(eq(rounds.gameId, game.id), isFrom, isBefore(behind)));",
      ".where(and(eq(rounds.gameId, game.id), isFrom, undefined));",
      OUTSIDE,
    ],
  ],
  "server/domains/lottery/read-anchors.ts": [
    [
      ".where(and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys]), isNotNull(logLeaves.number)));",
      ".where(and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys]), undefined));",
      "A leaf without a number is in no head.",
    ],
  ],
  "server/domains/lottery/read-fair.ts": [[".limit(1);", ".limit(2);", ONE]],
  "server/domains/lottery/shown-places.ts": [
    [".limit(1);", ".limit(2);", ONE],
    [
      "const ofGap = and(eq(shownPlaces.gameId, game.id), between(shownPlaces.day, gap.fromDay, gap.toDay));",
      "const ofGap = and(eq(shownPlaces.gameId, game.id), undefined);",
      OUTSIDE,
    ],
  ],
  "server/domains/lottery/read-odds.ts": [
    [
      "const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(1);",
      "const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(2);",
      ONE,
    ],
  ],
  "server/domains/lottery/open-round.ts": [
    ["isNull(rounds.indexedAt),", "undefined,", TOLD],
    ["isNull(rounds.drawnAt),", "undefined,", TOLD],
    ["isNull(rounds.refundedAt),", "undefined,", TOLD],
  ],
};
