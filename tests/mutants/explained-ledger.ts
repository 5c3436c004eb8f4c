import type { Reasons } from "./explained-audit.ts";

/** Mutants of the ledger that no test can notice. */
export const OF_LEDGER: Reasons = {
  "server/domains/ledger/count-deposit.ts": [
    [
      "const reason = whyRefused(await readWallet(tx, memberId), now, 0);",
      "const reason = whyRefused(await readWallet(tx, memberId), now, (-1));",
      "No balance is below either.",
    ],
  ],
  "server/domains/ledger/journal.ts": [
    [
      '.where(and(inArray(payouts.roundId, open), eq(payouts.memberId, placeholder("member")), wanted(payouts.version)));',
      '.where(and(undefined, eq(payouts.memberId, placeholder("member")), wanted(payouts.version)));',
      "A payout that is indexed too is the same row of both, and the union has it once.",
    ],
    [
      "if (!row) throw new Error(`the wallet of member ${memberId} has no version ${middle} of ${count}`);",
      "if (!row) ;",
      "The database's own triggers let no version be missing.",
    ],
  ],
  "server/domains/ledger/ledger-sum.ts": [
    ["const PAGE = 5_000;", "const PAGE = 5001;", "Pages of any size come to the same."],
    [
      "#sealed = { houseTo: 0, transfersTo: 0, sum: 0 };",
      "#sealed = { houseTo: (-1), transfersTo: 0, sum: 0 };",
      "No row's number is below 1.",
    ],
    [
      "#sealed = { houseTo: 0, transfersTo: 0, sum: 0 };",
      "#sealed = { houseTo: 0, transfersTo: (-1), sum: 0 };",
      "No row's number is below 1.",
    ],
    [
      "const [seal] = await read.select().from(seals).orderBy(desc(seals.id)).limit(1);",
      "const [seal] = await read.select().from(seals).orderBy(desc(seals.id)).limit(2);",
      "The first of them is taken.",
    ],
    [
      "async function sumPages(read: Tx, key: Column, value: SQL, after = 0, to?: number): Promise<number> {",
      "async function sumPages(read: Tx, key: Column, value: SQL, after = (-1), to?: number): Promise<number> {",
      "No row's number is below 1.",
    ],
    ["await setImmediate();", ";", "Others wait a little longer for their turn."],
  ],
  "server/domains/ledger/limits.ts": [
    [
      "const tighter = value !== null && (wallet[column] === null || value <= wallet[column]);",
      "const tighter = value !== null && (wallet[column] === null || value < wallet[column]);",
      "Where both are equal, it writes the value that is there.",
    ],
    [
      'if (until < wallet.excludedUntil) throw new Refusal("limit.shortened");',
      'if (until <= wallet.excludedUntil) throw new Refusal("limit.shortened");',
      "The function has returned already where both are equal.",
    ],
  ],
  "server/domains/ledger/refusal-figures.ts": [
    [
      "const left = lefts[LIMIT_COLUMNS[i]!] ?? null;",
      "const left = (lefts[LIMIT_COLUMNS[i]!]);",
      "Neither null nor undefined is less than a cost.",
    ],
    ["if (!least) return {};", "if (!least) return;", "A refusal without a detail has an empty one."],
  ],
  "server/domains/ledger/seal.sqlite.ts": [
    ["const PIECE_MS = 8;", "const PIECE_MS = (7);", "How long a piece of work takes is no promise."],
    ["const PIECE_MS = 8;", "const PIECE_MS = 9;", "How long a piece of work takes is no promise."],
    [
      "let until = performance.now() + PIECE_MS;",
      "let until = performance.now() - PIECE_MS;",
      "It yields once more, and comes to the same.",
    ],
    ["until = performance.now() + PIECE_MS;", ";", "It yields more often, and comes to the same."],
    [
      "if (performance.now() < until) continue;",
      "if (performance.now() <= until) continue;",
      "How long a piece of work takes is no promise.",
    ],
    [
      "for (const leaf of leavesSince(raw, last?.house_to ?? 0, houseTo, last?.transfers_to ?? 0, transfersTo)) {",
      "for (const leaf of leavesSince(raw, last?.house_to ?? (-1), houseTo, last?.transfers_to ?? 0, transfersTo)) {",
      "No row's number is below 1.",
    ],
    [
      "for (const leaf of leavesSince(raw, last?.house_to ?? 0, houseTo, last?.transfers_to ?? 0, transfersTo)) {",
      "for (const leaf of leavesSince(raw, last?.house_to ?? 0, houseTo, last?.transfers_to ?? (-1), transfersTo)) {",
      "No row's number is below 1.",
    ],
    [
      "const memberId = (namedIn.get(namedBy(command, words.words)) as number | undefined) ?? null;",
      "const memberId = ((namedIn.get(namedBy(command, words.words)) as number | undefined));",
      "The driver binds both as null.",
    ],
    [
      "until = performance.now() + PIECE_MS;",
      "until = performance.now() - PIECE_MS;",
      "It yields more often, and comes to the same.",
    ],
    ["const PAGE = 1_000;", "const PAGE = 1001;", "Pages of any size come to the same."],
  ],
  "server/domains/ledger/stake.ts": [
    [
      "return orRefused(tx, balances, { memberIds, now, cost: 0 });",
      "return orRefused(tx, balances, { memberIds, now, cost: 1 });",
      "Only locks and breaks refuse here, and they come before the balance.",
    ],
    [
      "return orRefused(tx, balances, { memberIds, now, cost: 0 });",
      "return orRefused(tx, balances, { memberIds, now, cost: (-1) });",
      "Only locks and breaks refuse here, and they come before the balance.",
    ],
  ],
  "server/domains/ledger/take-back.ts": [
    [
      ".where(and(eq(wallets.memberId, memberId), gte(wallets.balance, amount)))",
      ".where(and(eq(wallets.memberId, memberId), undefined))",
      "The amount comes of the balance that the same transaction read.",
    ],
    [
      "if (!wallet) throw new Error(`the balance of member ${memberId} changed inside a transaction`);",
      "if (!wallet) ;",
      "The amount comes of the balance that the same transaction read.",
    ],
  ],
  "server/domains/ledger/transfer.ts": [
    [
      'failpoint("transfer.withdraw-paid", memberId);',
      ";",
      "What a crash there leaves is tried by `npm run torture -- kills`.",
    ],
    [
      "if (made.length === 0) return [];",
      "if (made.length === (-1)) return [];",
      "It only saves statements of no rows.",
    ],
    [
      "for (const { code, memberId } of made) failpoint(`transfer.${code}`, memberId);",
      "for (const { code, memberId } of made) ;",
      "What a crash there leaves is tried by `npm run torture -- kills`.",
    ],
    [
      "for (const { code, memberId } of made) failpoint(`transferred.${code}`, memberId);",
      "for (const { code, memberId } of made) ;",
      "What a crash there leaves is tried by `npm run torture -- kills`.",
    ],
    [
      "const [debit, credit] = delta < 0 ? [member, account] : [account, member];",
      "const [debit, credit] = delta <= 0 ? [member, account] : [account, member];",
      "No amount is 0.",
    ],
    [
      "const [debit, credit] = delta < 0 ? [member, account] : [account, member];",
      "const [debit, credit] = delta < 1 ? [member, account] : [account, member];",
      "No amount is 0.",
    ],
    [
      "return { code, cause, debit, credit, ...amounts, memberId, reason: reason ?? null, createdAt };",
      "return { code, cause, debit, credit, ...amounts, memberId, reason: (reason), createdAt };",
      "A column without a value is null.",
    ],
  ],
  "server/domains/ledger/unit.ts": [
    [
      "const [row] = await tx.select({ id: table.id }).from(table).limit(1);",
      "const [row] = await tx.select({ id: table.id }).from(table).limit(2);",
      "The first of them is taken.",
    ],
    [
      "await tx.select({ locked: sql`pg_advisory_xact_lock(7247, 1)::text` }).from(sql`(select 1) as one`);",
      ";",
      "It runs on PostgreSQL alone, and this domain's tests on SQLite.",
    ],
  ],
  "server/domains/ledger/wallet-sql.ts": [
    [
      "columns[period] = `case when ${period} >= ${stamp} then ${period} else ${stamp} end`;",
      "columns[period] = `case when ${period} > ${stamp} then ${period} else ${stamp} end`;",
      "Where both are equal, it writes the same.",
    ],
  ],
};
