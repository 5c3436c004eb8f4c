/** Mutants of the operator's audit that no test can notice, by file as in `explained.ts`. */
export const OF_AUDIT: Readonly<Record<string, readonly (readonly [was: string, now: string, why: string])[]>> = {
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
  "server/admin/audit/log-stated.ts": [
    [".limit(1);", ".limit(2);", "The first one tells."],
    [
      ".where(and(eq(logLeaves.log, log), inArray(logLeaves.key, [...keys.keys()])));",
      ".where(and(eq(logLeaves.log, log), undefined));",
      "Leaves are read that no row asks for.",
    ],
  ],
  "server/admin/audit/log.ts": [
    [
      "const [stray] = await read.select({ log: logHeads.log }).from(logHeads).where(isStray).limit(1);",
      "const [stray] = await read.select({ log: logHeads.log }).from(logHeads).where(isStray).limit(2);",
      "The first one tells.",
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
};
