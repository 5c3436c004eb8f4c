import type { Reasons } from "./explained-audit.ts";

const ORDERED = "SQLite gives them in the order of their numbers; PostgreSQL promises no order.";
const LONG = "Where exactly a piece ends is no promise.";
const SAME = "Both ways find the same bets; one may take longer.";
const TURN = "Others wait a little longer for their turn.";
const OUTSIDE = "Places outside of the range are left out afterwards.";
const ALONE =
  "On SQLite one transaction runs at a time, and it has just read the round. On PostgreSQL a test holds it.";
const FIRST = "It is no greater than the key of the first member.";
const PAGES = "Pages of any size come to the same.";

/** Mutants of bets on SQLite, how they are taken, counted and read, that no test can notice. */
export const OF_BETS: Reasons = {
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
  "server/domains/lottery/read-outcomes.ts": [
    [
      ".where(and(gt(bets.id, after), lte(bets.id, drawn.toBet)))",
      ".where(and(gt(bets.id, after), undefined))",
      OUTSIDE,
    ],
    [
      ".where(and(inArray(betKeys.memberId, members), between(bets.id, drawn.fromBet, drawn.toBet)));",
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
    ["gt(version, sql`${wallets.version} - ${newer + size}`),", "undefined,", SAME],
    [
      "gt(version, sql`${wallets.version} - ${newer + size}`),",
      "mutantGte(version, sql`${wallets.version} - ${newer + size}`),",
      SAME,
    ],
    ["lte(version, sql`${wallets.version} - ${newer}`),", "undefined,", SAME],
    ["lte(version, sql`${wallets.version} - ${newer}`),", "lte(version, sql`${wallets.version} + ${newer}`),", SAME],
    [
      "if (version <= newer + size || (bet && bet.id < drawn.fromBet)) seen.delete(memberId);",
      "if (version <= newer + size || (bet && bet.id <= drawn.fromBet)) seen.delete(memberId);",
      SAME,
    ],
    [
      ".where(and(eq(payouts.roundId, roundId), inArray(payouts.memberId, ids)));",
      ".where(and(eq(payouts.roundId, roundId), undefined));",
      "What others won is not looked at.",
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
      "indexed(read).execute({ member: memberId, limit, offset: 0, first: 1, last });",
      "indexed(read).execute({ member: memberId, limit, offset: (-1), first: 1, last });",
      "SQLite takes it for none.",
    ],
    [
      "indexed(read).execute({ member: memberId, limit, offset: 0, first: 1, last });",
      "indexed(read).execute({ member: memberId, limit, offset: 0, first: 2, last });",
      "A wallet's first change is no bet: there was nothing to stake.",
    ],
    [
      "indexed(read).execute({ member: memberId, limit, offset: 0, first: 1, last });",
      "indexed(read).execute({ member: memberId, limit, offset: 0, first: (0), last });",
      "A wallet's first change is its first.",
    ],
    [
      "const [newest] = await newestTo(read, { memberId, last: middle, limit: 1 });",
      "const [newest] = await newestTo(read, { memberId, last: middle, limit: 2 });",
      "Of two, only the newer one is looked at.",
    ],
    [
      "let [low, high] = [0, await readVersion(read, memberId)];",
      "let [low, high] = [1, await readVersion(read, memberId)];",
      "A wallet's first change is no bet: there was nothing to stake.",
    ],
    [
      "let [low, high] = [0, await readVersion(read, memberId)];",
      "let [low, high] = [(-1), await readVersion(read, memberId)];",
      "No change has that version: at most one look more.",
    ],
  ],
  "server/domains/lottery/prune-keys.sqlite.ts": [
    ["const PAGE = 2_000;", "const PAGE = 2001;", PAGES],
    ['for (let last: [number, string] = [0, ""]; ;) {', 'for (let last: [number, string] = [1, ""]; ;) {', FIRST],
    ['for (let last: [number, string] = [0, ""]; ;) {', 'for (let last: [number, string] = [(-1), ""]; ;) {', FIRST],
  ],
  "server/domains/lottery/refund-round.ts": [
    ["if (changed.length === 0) return false;", "if (changed.length === (-1)) return false;", ALONE],
    ["if (changed.length === 0) return false;", "if (changed.length === 0) return true;", ALONE],
  ],
  "server/domains/lottery/settle.sqlite.ts": [
    ["export const PIECE_MS = 8;", "export const PIECE_MS = 9;", LONG],
    [
      "for (let after: number | null = round.fromBet - 1; ;) {",
      "for (let after: number | null = round.fromBet - 2; ;) {",
      OUTSIDE,
    ],
    [
      "const ONE_RANGE = { least: Infinity, most: 1 };",
      "const ONE_RANGE = { least: Infinity, most: 2 };",
      "No round has enough bettors for two.",
    ],
    [
      "const ONE_RANGE = { least: Infinity, most: 1 };",
      "const ONE_RANGE = { least: Infinity, most: (0) };",
      "A round has one range at least.",
    ],
  ],
  "server/domains/lottery/index-round.sqlite.ts": [
    ["const PIECE_MS = 8;", "const PIECE_MS = (7);", LONG],
    [
      '"update settle_ranges set indexed_to = :to where round_id = :round and from_id = :from and indexed_to < :to",',
      '"update settle_ranges set indexed_to = :to where round_id = :round and from_id = :from and indexed_to <= :to",',
      "What stands there already is written once more.",
    ],
  ],
  "server/domains/lottery/place-bet.ts": [
    ["const NO_ROUND = 0;", "const NO_ROUND = (-1);", "No round has that number either."],
    [
      "const played = { expect, roundId: found.id ?? NO_ROUND, key: found.key, rules: rulesOf(found.kind) };",
      "const played = { expect, roundId: (found.id), key: found.key, rules: rulesOf(found.kind) };",
      "No round has no number either.",
    ],
    [
      "if (found.id !== null) this.#rounds.set(lid, played);",
      "if (found.id !== null) ;",
      "The round is read again for each bet.",
    ],
    ["this.#nextRounds.set(game, asked);", ";", "Each who asks meanwhile is told the same by a read of their own."],
  ],
};
