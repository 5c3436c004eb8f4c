import type { Reasons } from "./explained-audit.ts";

const ORDERED = "SQLite gives them in the order of their numbers; PostgreSQL promises no order.";
const ONE = "The first of them is taken.";
const SQLITE = "On SQLite nobody comes between the two statements. PostgreSQL's tests run both at once.";
const LONG = "Where exactly a piece ends is no promise.";
const TOLD = "A round that ended is closed, and its closing was told.";
const SAME = "Both ways find the same bets; one may take longer.";
const TURN = "Others wait a little longer for their turn.";
const OUTSIDE = "Places outside of the range are left out afterwards.";
const AGAIN = "An anchor that is there is not added again.";
const PAGES = "Pages of any size come to the same.";

/** Mutants of the lottery on SQLite that no test can notice. */
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
  "server/domains/lottery/bet-book.sqlite.ts": [
    ["let toId = 0;", "let toId = 1;", "It is set with the first bet that is taken."],
    ["let toId = 0;", "let toId = (-1);", "It is set with the first bet that is taken."],
    [
      "const logKey = (book.logKey.get() as number | null) ?? 0;",
      "const logKey = ((book.logKey.get() as number | null));",
      "A server has a key of the log before it takes bets.",
    ],
    [
      "const logKey = (book.logKey.get() as number | null) ?? 0;",
      "const logKey = (book.logKey.get() as number | null) ?? 1;",
      "A server has a key of the log before it takes bets.",
    ],
    [
      "const logKey = (book.logKey.get() as number | null) ?? 0;",
      "const logKey = (book.logKey.get() as number | null) ?? (-1);",
      "A server has a key of the log before it takes bets.",
    ],
    ["oddsByRound.set(roundId, oddsId);", ";", "The round is read again for each bet."],
  ],
  "server/domains/lottery/bet-book.ts": [
    [
      "const LANES = { sqlite: 1, postgres: 4 } as const;",
      "const LANES = { sqlite: 1, postgres: 5 } as const;",
      "These tests run on SQLite. On PostgreSQL one holds it.",
    ],
    [
      "const LANES = { sqlite: 1, postgres: 4 } as const;",
      "const LANES = { sqlite: 1, postgres: (3) } as const;",
      "These tests run on SQLite. On PostgreSQL one holds it.",
    ],
  ],
  "server/domains/lottery/bet-queue.ts": [
    [
      "const ordered = bets.toSorted((a, b) => a.id - b.id);",
      "const ordered = bets.toSorted((a, b) => undefined);",
      ORDERED,
    ],
    [
      "const ordered = bets.toSorted((a, b) => a.id - b.id);",
      "const ordered = bets.toSorted((a, b) => a.id + b.id);",
      ORDERED,
    ],
  ],
  "server/domains/lottery/close-round.ts": [
    [
      ".where(and(between(bets.id, round.fromBet, toBet), eq(bets.roundId, roundId)))",
      ".where(and(undefined, eq(bets.roundId, roundId)))",
      "A round's bets have no other numbers. Without the range all bets are read.",
    ],
    [".limit(1);", ".limit(2);", ONE],
  ],
  "server/domains/lottery/count-bets.ts": [
    [
      "const options = settler ? settler.count(low, high) : 0;",
      "const options = settler ? settler.count(low, high) : 1;",
      "A bet without a settler has another fault.",
    ],
    [
      "const options = settler ? settler.count(low, high) : 0;",
      "const options = settler ? settler.count(low, high) : (-1);",
      "A bet without a settler has another fault.",
    ],
    [
      "if (!Number.isSafeInteger(win) || win < 0) return `bet ${id} would win ${win}`;",
      "if (!Number.isSafeInteger(win) || win < (-1)) return `bet ${id} would win ${win}`;",
      "No settler pays less than nothing.",
    ],
    [
      "const step = stepOf(unit ?? POINTS);",
      "const step = stepOf((unit));",
      "What is no currency has the step of points.",
    ],
    ["export const PAGE = 1_000;", "export const PAGE = 1001;", PAGES],
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
    ["if (added.length > 0)", "if (added.length >= 0)", "The log says nothing twice."],
    ["if (added.length > 0)", "if (added.length > (-1))", "The log says nothing twice."],
    [
      "const days = known || last === null || last < today ? [] : [today];",
      "const days = known && last === null || last < today ? [] : [today];",
      AGAIN,
    ],
    [
      "const days = known || last === null || last < today ? [] : [today];",
      "const days = known || last === null && last < today ? [] : [today];",
      AGAIN,
    ],
    [
      "const days = known || last === null || last < today ? [] : [today];",
      "const days = known || last === null || last <= today ? [] : [today];",
      "The newest is of today: so today's is known.",
    ],
    [
      "for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) days.push(day);",
      "for (let day = last === null ? today : last - 1; day <= today + DAYS_AHEAD; day++) days.push(day);",
      AGAIN,
    ],
    [
      "for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) days.push(day);",
      "for (let day = last === null ? today : last + (0); day <= today + DAYS_AHEAD; day++) days.push(day);",
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
  "server/domains/lottery/read-odds.ts": [
    [
      "const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(1);",
      "const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(2);",
      ONE,
    ],
  ],
  "server/domains/lottery/open-round.ts": [
    ["return at ?? 0;", "return (at);", "A game without odds opens no round."],
    ["return at ?? 0;", "return at ?? 1;", "A game without odds opens no round."],
    ["isNull(rounds.indexedAt),", "undefined,", TOLD],
    ["isNull(rounds.drawnAt),", "undefined,", TOLD],
    ["isNull(rounds.refundedAt),", "undefined,", TOLD],
  ],
  "server/domains/lottery/read-outcomes.ts": [
    [
      ".where(and(gt(bets.id, after), lte(bets.id, drawn.toBet)))",
      ".where(and(gt(bets.id, after), undefined))",
      OUTSIDE,
    ],
    [
      "const isOfRound = and(gte(bets.id, drawn.fromBet), lte(bets.id, drawn.toBet));",
      "const isOfRound = mutantOr(gte(bets.id, drawn.fromBet), lte(bets.id, drawn.toBet));",
      OUTSIDE,
    ],
    [
      "const isOfRound = and(gte(bets.id, drawn.fromBet), lte(bets.id, drawn.toBet));",
      "const isOfRound = and(undefined, lte(bets.id, drawn.toBet));",
      OUTSIDE,
    ],
    [
      "const isOfRound = and(gte(bets.id, drawn.fromBet), lte(bets.id, drawn.toBet));",
      "const isOfRound = and(gte(bets.id, drawn.fromBet), undefined);",
      OUTSIDE,
    ],
    [
      ".where(and(inArray(betKeys.memberId, members), isOfRound));",
      ".where(and(inArray(betKeys.memberId, members), undefined));",
      OUTSIDE,
    ],
    [
      "for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= 2) {",
      "for (let [newer, size] = [(-1), FIRST_LOOK]; left.length > 0; newer += size, size *= 2) {",
      SAME,
    ],
    [
      "for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= 2) {",
      "for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= 3) {",
      SAME,
    ],
    [
      "for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= 2) {",
      "for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= (1)) {",
      SAME,
    ],
    [
      "if (version <= newer + size || (bet && bet.id < drawn.fromBet)) seen.delete(memberId);",
      "if (version < newer + size || (bet && bet.id < drawn.fromBet)) seen.delete(memberId);",
      SAME,
    ],
    ["const SOME = 500;", "const SOME = 501;", PAGES],
    ["const OWN_COST = 8;", "const OWN_COST = 9;", SAME],
    ["const OWN_COST = 8;", "const OWN_COST = (7);", SAME],
    ["const OWN_AT_ONCE = 100;", "const OWN_AT_ONCE = 101;", SAME],
    ["const FIRST_LOOK = 16;", "const FIRST_LOOK = 17;", SAME],
    [
      "if (members.length * OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      "if (members.length / OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      SAME,
    ],
    [
      "if (members.length * OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      "if (members.length * OWN_COST >= drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      SAME,
    ],
    [
      "if (members.length * OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      "if (members.length * OWN_COST <= drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      SAME,
    ],
    [
      "if (members.length * OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));",
      "if (members.length * OWN_COST > drawn.toBet + drawn.fromBet) return countAll(read, drawn, new Set(members));",
      SAME,
    ],
    [
      "for (let from = 0; from < members.length; from += OWN_AT_ONCE) {",
      "for (let from = 0; from <= members.length; from += OWN_AT_ONCE) {",
      "Of nobody nothing is found.",
    ],
    ["await othersTurn();", ";", TURN],
    ["const othersTurn = () => new Promise(setImmediate);", "const othersTurn = () => undefined;", TURN],
    [
      "for (let after: number | null = drawn.fromBet - 1; after !== null;) {",
      "for (let after: number | null = drawn.fromBet - 2; after !== null;) {",
      OUTSIDE,
    ],
  ],
  "server/domains/lottery/read-orders.ts": [
    [
      "const rest = { limit: offset + limit - skipped, offset: skipped, first, last };",
      "const rest = { limit: offset + limit + skipped, offset: skipped, first, last };",
      "What is read too much is cut off.",
    ],
    [
      "const wanted = and(eq(bets.id, betOfWireId(id) || 0), eq(bets.memberId, memberId));",
      "const wanted = and(eq(bets.id, betOfWireId(id) || (-1)), eq(bets.memberId, memberId));",
      "No bet has that number either.",
    ],
    ["const PAGE = 50;", "const PAGE = 51;", PAGES],
    [
      "for (const bet of await indexedWithin(read, memberId, { from, to: to ?? Infinity })) known.set(bet.id, bet);",
      "for (const bet of await indexedWithin(read, memberId, { from, to: (to) })) known.set(bet.id, bet);",
      "No bet of an open round is indexed.",
    ],
    [
      "const within = { from: round.fromBet, to: round.toBet ?? Infinity };",
      "const within = { from: round.fromBet, to: (round.toBet) };",
      "No bet of an open round is indexed.",
    ],
    [
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: 0, first: 1, last });",
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: (-1), first: 1, last });",
      "SQLite takes it for none.",
    ],
    [
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: 0, first: 1, last });",
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: 0, first: 2, last });",
      "A wallet's first change is no bet: there was nothing to stake.",
    ],
    [
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: 0, first: 1, last });",
      "const page = await indexed(read).execute({ member: memberId, limit: PAGE, offset: 0, first: (0), last });",
      "A wallet's first change is its first.",
    ],
  ],
  "server/domains/lottery/index-round.sqlite.ts": [
    ["const PIECE_MS = 8;", "const PIECE_MS = 9;", LONG],
    ["const PIECE_MS = 8;", "const PIECE_MS = (7);", LONG],
  ],
  "server/domains/lottery/place-bet.ts": [
    ["const NO_ROUND = 0;", "const NO_ROUND = (-1);", "No round has that number either."],
  ],
};
