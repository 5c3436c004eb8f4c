/** By file: a line, what becomes of it, and why nobody can notice. */
export type Reasons = Readonly<Record<string, readonly (readonly [was: string, now: string, why: string])[]>>;

/** Mutants of the operator's audit that no test can notice. */
export const OF_AUDIT: Reasons = {
  "server/admin/audit/held.ts": [
    [
      ".where(and(inArray(transfers.code, codes), inArray(transfers.cause, names)));",
      ".where(and(inArray(transfers.code, codes), undefined));",
      "Transfers of other withdrawals are read too, and nobody looks at them.",
    ],
  ],
  "server/admin/audit/journal.ts": [
    [
      "for (let last = { memberId: BEFORE_ALL, version: 0 }; ;) {",
      "for (let last = { memberId: BEFORE_ALL, version: 1 }; ;) {",
      "Every member comes after that one.",
    ],
    [
      "for (let last = { memberId: BEFORE_ALL, version: 0 }; ;) {",
      "for (let last = { memberId: BEFORE_ALL, version: (-1) }; ;) {",
      "Every member comes after that one.",
    ],
    [
      '.leftJoin(bets, and(eq(kind, "bet"), eq(bets.id, rowId)))',
      ".leftJoin(bets, and(undefined, eq(bets.id, rowId)))",
      "Only the row of its own kind is looked at.",
    ],
    [
      '.leftJoin(payouts, and(eq(kind, "payout"), eq(payouts.roundId, rowId), eq(payouts.memberId, memberId)))',
      ".leftJoin(payouts, and(undefined, eq(payouts.roundId, rowId), eq(payouts.memberId, memberId)))",
      "Only the row of its own kind is looked at.",
    ],
    [
      '.leftJoin(transfers, and(eq(kind, "transfer"), eq(transfers.id, rowId)))',
      ".leftJoin(transfers, and(undefined, eq(transfers.id, rowId)))",
      "Only the row of its own kind is looked at.",
    ],
    ["const PAGE = 5_000;", "const PAGE = 5001;", "How many rows are read at once is no promise."],
  ],
  "server/admin/audit/ledger.ts": [
    ["const PAGE = 5_000;", "const PAGE = 5001;", "How many rows are read at once is no promise."],
  ],
  "server/admin/audit/log-dates.ts": [
    [
      "const within = mostLate(leaf, this.#games.get(leaf.game) ?? null);",
      "const within = mostLate(leaf, (this.#games.get(leaf.game)));",
      "Both stand for a game that there is not.",
    ],
  ],
  "server/admin/audit/log-facts.ts": [
    [
      "return this.#games.get(game)?.id ?? 0;",
      "return (this.#games.get(game)?.id);",
      "No row is of a game without a number.",
    ],
    [
      "return this.#games.get(game)?.id ?? 0;",
      "return this.#games.get(game)?.id ?? (-1);",
      "No game has a number below 1.",
    ],
    [
      "const isNamed = and(eq(rounds.gameId, game.id), eq(rounds.day, day), inArray(rounds.number, [...numbers]));",
      "const isNamed = and(eq(rounds.gameId, game.id), eq(rounds.day, day), undefined);",
      "Rounds are read that no leaf asks for.",
    ],
  ],
  "server/admin/audit/log-heads.ts": [
    ["const PAGE = 500;", "const PAGE = 501;", "Pages of any size come to the same."],
  ],
  "server/admin/audit/log-rounds.ts": [
    [
      "const MOST_SALTS = 100_000;",
      "const MOST_SALTS = 100001;",
      "What is forgotten is read again: only the memory differs.",
    ],
    [
      "if (this.#salts.size > MOST_SALTS) this.#salts.clear();",
      "if (this.#salts.size >= MOST_SALTS) this.#salts.clear();",
      "What is forgotten is read again: only the memory differs.",
    ],
    [
      "if (this.#salts.size > MOST_SALTS) this.#salts.clear();",
      "if (this.#salts.size > MOST_SALTS) ;",
      "What is not forgotten is still right: only the memory differs.",
    ],
  ],
  "server/admin/audit/log-stated.ts": [
    [".limit(1);", ".limit(2);", "The first one tells."],
    [
      ".where(and(eq(logLeaves.log, log), inArray(logLeaves.key, [...keys.keys()])));",
      ".where(and(eq(logLeaves.log, log), undefined));",
      "Leaves are read that no row asks for.",
    ],
  ],
  "server/admin/audit/log-tree.ts": [
    [
      "if (rows.length < BUNDLES * WIDTH) return;",
      "if (rows.length < BUNDLES / WIDTH) return;",
      "It asks once more, and there are no more rows.",
    ],
    [
      ".where(and(eq(logLeaves.log, log), inArray(logLeaves.key, [...keys.values()])));",
      ".where(and(eq(logLeaves.log, log), undefined));",
      "Rows under other keys are looked up by nobody: it only takes longer.",
    ],
  ],
  "server/admin/audit/log.ts": [
    [
      "const [stray] = await read.select({ log: logHeads.log }).from(logHeads).where(isStray).limit(1);",
      "const [stray] = await read.select({ log: logHeads.log }).from(logHeads).where(isStray).limit(2);",
      "The first one tells.",
    ],
  ],
  "server/admin/audit/member-chains.ts": [
    ["const AT_ONCE = 500;", "const AT_ONCE = 501;", "Pages of any size come to the same."],
    ["for (let after = 0; ;) {", "for (let after = (-1); ;) {", "No member has the number 0."],
    [
      "const isOfPage = and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys.keys()]));",
      "const isOfPage = and(eq(logLeaves.log, currentLog), undefined);",
      "The same chains are named, once the whole log was read.",
    ],
  ],
  "server/admin/audit/member-comments.ts": [
    [
      "if (!said) this.#found.check(row.id < this.#first, () => `the log does not state comment ${id}`);",
      "if (!said) this.#found.check(row.id <= this.#first, () => `the log does not state comment ${id}`);",
      "The first comment that was stated is stated.",
    ],
  ],
  "server/admin/audit/member-facts.ts": [
    [
      "const isNamed = and(inArray(transfers.code, codes), inArray(transfers.cause, causes));",
      "const isNamed = and(undefined, inArray(transfers.cause, causes));",
      "Transfers are read that no leaf asks for.",
    ],
    [
      '.where(and(inArray(journalIndex.memberId, members), eq(journalIndex.kind, "transfer")));',
      '.where(mutantOr(inArray(journalIndex.memberId, members), eq(journalIndex.kind, "transfer")));',
      "Transfers are read that no leaf asks for.",
    ],
    [
      '.where(and(inArray(journalIndex.memberId, members), eq(journalIndex.kind, "transfer")));',
      '.where(and(undefined, eq(journalIndex.kind, "transfer")));',
      "Transfers are read that no leaf asks for.",
    ],
    [
      '.where(and(inArray(journalIndex.memberId, members), eq(journalIndex.kind, "transfer")));',
      ".where(and(inArray(journalIndex.memberId, members), undefined));",
      "Transfers are read that no leaf asks for.",
    ],
  ],
  "server/admin/audit/payouts.ts": [
    ["const ROUNDS = 250;", "const ROUNDS = 251;", "How many rounds are read at once is no promise."],
  ],
  "server/admin/audit/plays.ts": [
    [
      "const since = await playsAfter(read, newest?.hour ?? 0);",
      "const since = await playsAfter(read, newest?.hour ?? (-1));",
      "Nobody watched anything in the first hour of 1970.",
    ],
    ["const AT_ONCE = 200;", "const AT_ONCE = 201;", "How many hours are read at once is no promise."],
  ],
  "server/admin/audit/wallet-totals.ts": [
    [
      "const [gap] = await read.select(some).from(gaps).where(isWrong).limit(1);",
      "const [gap] = await read.select(some).from(gaps).where(isWrong).limit(2);",
      "The first one tells.",
    ],
    [
      "const [skipped] = await read.select({ id: rounds.id }).from(rounds).where(isNotNull(rounds.skippedAt)).limit(1);",
      "const [skipped] = await read.select({ id: rounds.id }).from(rounds).where(isNotNull(rounds.skippedAt)).limit(2);",
      "The first one tells.",
    ],
    [
      "read.select({ id, day, week, month }).from(wallets).where(gt(id, after)).orderBy(asc(id)).limit(limit);",
      "read.select({ id, day, week, month }).from(wallets).where(mutantGte(id, after)).orderBy(asc(id)).limit(limit);",
      "The last wallet of a page is read twice, and takes its own place.",
    ],
  ],
};
