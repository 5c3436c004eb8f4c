/** A mutant that no test can notice. The file and both lines name it; line numbers may move. */
export interface Explained {
  file: string;
  was: string;
  now: string;
  why: string;
}

export const EXPLAINED: readonly Explained[] = [
  {
    file: "client/offline/files.ts",
    was: "let count = 0;",
    now: "let count = 1;",
    why: "The same counts are shown, a line earlier.",
  },
  {
    file: "client/offline/files.ts",
    was: "const end = file.slice(Math.max(0, file.size - LONGEST_LAST_LINE));",
    now: "const end = file.slice(Math.max(1, file.size - LONGEST_LAST_LINE));",
    why: "The first byte is never of the last line: a file of one line is unsigned.",
  },
  {
    file: "client/offline/files.ts",
    was: "const log = file.size <= LONGEST_EXPORT ? checkBets(jsonIn(await file.text()), witnesses) : null;",
    now: "const log = file.size < LONGEST_EXPORT ? checkBets(jsonIn(await file.text()), witnesses) : null;",
    why: "Where exactly a file is too long is no promise.",
  },
  {
    file: "client/offline/files.ts",
    was: "const painted = () => new Promise((resolve) => setTimeout(resolve));",
    now: "const painted = () => undefined;",
    why: "Only eyes see whether a count is painted.",
  },
  {
    file: "client/offline/files.ts",
    was: "await painted();",
    now: ";",
    why: "Only eyes see whether a count is painted.",
  },
  {
    file: "server/domains/ledger/batch-queue.ts",
    was: "return false;",
    now: "return;",
    why: "A filter leaves out what is undefined, too.",
  },
  {
    file: "server/domains/ledger/unit.ts",
    was: "await tx.select({ locked: sql`pg_advisory_xact_lock(7247, 1)::text` }).from(sql`(select 1) as one`);",
    now: ";",
    why: "It runs on PostgreSQL alone, and this domain's tests on SQLite.",
  },
  {
    file: "server/domains/ledger/limits.ts",
    was: 'if (until < wallet.excludedUntil) throw new Refusal("limit.shortened");',
    now: 'if (until <= wallet.excludedUntil) throw new Refusal("limit.shortened");',
    why: "The function has returned already where both are equal.",
  },
  {
    file: "server/domains/video/send-media.ts",
    was: "const TIMEOUT_MS = 60_000;",
    now: "const TIMEOUT_MS = 60001;",
    why: "Nobody notices a millisecond more of a minute's patience.",
  },
  {
    file: "server/domains/video/viewer-status.ts",
    was: "if (!row) return { readAt, memberId: 0, isOpen: false, memberUntil: 0 };",
    now: "if (!row) return { readAt, memberId: 1, isOpen: false, memberUntil: 0 };",
    why: "This status is not cached, and only of a cached one the member is asked for.",
  },
  {
    file: "server/domains/wheel/pairs.ts",
    was: "if (memberIds.length === 0) return new Map();",
    now: "if (memberIds.length === (-1)) return new Map();",
    why: "Without members, what follows writes nothing: the guard spares a statement.",
  },
  {
    file: "server/domains/wheel/pairs.ts",
    was: 'if (over.length < open.length) throw new Error(`one of the pairs ${ids.join(", ")} was revealed concurrently`);',
    now: "if (over.length < open.length) ;",
    why: "The pair was read in the same transaction, and SQLite has one writer at a time.",
  },
  {
    file: "server/domains/wheel/pairs.ts",
    was: "if (!pair) throw new Error(`pair ${id} got its words concurrently`);",
    now: "if (!pair) ;",
    why: "The pair was read in the same transaction, and SQLite has one writer at a time.",
  },
  {
    file: "server/domains/wheel/turns.ts",
    was: 'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : 0)));',
    now: 'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : (-1))));',
    why: "The largest of them is at least 0 anyway.",
  },
  {
    file: "shared/lottery/shown-odds.ts",
    was: 'if (returned === undefined || Math.abs(returned - rtp) > ROUNDING) faults.add("return");',
    now: 'if (returned === undefined || Math.abs(returned - rtp) >= ROUNDING) faults.add("return");',
    why: "The difference of two returns is a multiple of a power of two, which 1e-9 is not.",
  },
  {
    file: "shared/lottery/shown-odds.ts",
    was: "const isNear = (one: number, other: number) => Math.abs(one - other) <= ROUNDING;",
    now: "const isNear = (one: number, other: number) => Math.abs(one - other) < ROUNDING;",
    why: "The difference of two returns is a multiple of a power of two, which 1e-9 is not.",
  },
  {
    file: "shared/log/receipt.ts",
    was: "Array.isArray(stated) && Array.isArray(shown)",
    now: "Array.isArray(stated) || Array.isArray(shown)",
    why: "Only options are lists, and they are on both sides.",
  },
  {
    file: "shared/log/read-tiles.ts",
    was: "for (let i = 0; i < width && end + 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
    now: "for (let i = 0; i < width && end - 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
    why: "Past the end of a cut bundle the sum is no number, and such a bundle is refused either way.",
  },
  {
    file: "shared/wheel.ts",
    was: "export const PUBLIC_AFTER_MS = 6_000;",
    now: "export const PUBLIC_AFTER_MS = 6001;",
    why: "How long exactly a prize stays its member's own is no promise, and server and app read the same figure.",
  },
  {
    file: "server/domains/account/hash-lanes.ts",
    was: "const SLOTS = availableParallelism() > 2 ? 2 : 1;",
    now: "const SLOTS = availableParallelism() > (1) ? 2 : 1;",
    why: "How many cores the machine of the tests has decides it.",
  },
  {
    file: "server/domains/account/hash-lanes.ts",
    was: "const SLOTS = availableParallelism() > 2 ? 2 : 1;",
    now: "const SLOTS = availableParallelism() > 2 ? 3 : 1;",
    why: "How many cores the machine of the tests has decides it.",
  },
  {
    file: "server/domains/account/hash-lanes.ts",
    was: "const retryAfterS = Math.ceil((lane.size * LANES.length * HASH_MS) / 1000);",
    now: "const retryAfterS = Math.ceil((lane.size * LANES.length * HASH_MS) / 1001);",
    why: "When to come back is a guess, to the second.",
  },
  {
    file: "server/domains/account/hash-lanes.ts",
    was: 'dropped?.refuse(new Refusal("attempts.many", { retryAfterS: Math.max(1, retryAfterS) }));',
    now: 'dropped?.refuse(new Refusal("attempts.many", { retryAfterS: Math.max((0), retryAfterS) }));',
    why: "A lane that drops somebody is full, so the guess is above a second.",
  },
  {
    file: "server/domains/account/passcode.ts",
    was: "const waitMs = (known?.blockedUntil ?? 0) - now;",
    now: "const waitMs = (known?.blockedUntil ?? (-1)) - now;",
    why: "Both are long ago.",
  },
  {
    file: "server/domains/account/passcode.ts",
    was: 'if (lockMs > 0) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeLocked", facts));',
    now: 'if (lockMs > 1) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeLocked", facts));',
    why: "No lock is of one millisecond.",
  },
  {
    file: "server/domains/account/cooling.ts",
    was: "return member?.until ?? 0;",
    now: "return member?.until ?? 1;",
    why: "Both are long ago.",
  },
  {
    file: "server/domains/wheel/spin.ts",
    was: "const paid = stakes.get(turn.order.memberId) ?? null;",
    now: "const paid = (stakes.get(turn.order.memberId));",
    why: "Nothing tells an undefined stake from none.",
  },
  {
    file: "server/domains/wheel/spins-left.ts",
    was: "const { day = 0, used = 0, extra = 0 } = had.get(id) ?? {};",
    now: "const { day = 1, used = 0, extra = 0 } = had.get(id) ?? {};",
    why: "Both days are in 1970, and nothing was used on either.",
  },
  {
    file: "server/domains/wheel/turns.ts",
    was: "let newPairs = 0;",
    now: "let newPairs = (-1);",
    why: "How many new pairs exactly share a transaction is no promise.",
  },
  {
    file: "server/domains/wheel/turns.ts",
    was: 'if (!(turn instanceof Refusal || "id" in turn.pair)) newPairs++;',
    now: 'if ((turn instanceof Refusal || "id" in turn.pair)) newPairs++;',
    why: "How many new pairs exactly share a transaction is no promise.",
  },
  {
    file: "server/domains/wheel/state-wheel.ts",
    was: 'await deps.announce(tx, "log.waiting", {});',
    now: ";",
    why: "The log looks by itself, only later.",
  },
  {
    file: "server/domains/ledger/seal.sqlite.ts",
    was: "const PIECE_MS = 8;",
    now: "const PIECE_MS = (7);",
    why: "How long a piece of work takes is no promise.",
  },
  {
    file: "server/domains/ledger/seal.sqlite.ts",
    was: "until = performance.now() + PIECE_MS;",
    now: "until = performance.now() - PIECE_MS;",
    why: "It yields more often, and comes to the same.",
  },
  {
    file: "server/domains/ledger/seal.sqlite.ts",
    was: "const PAGE = 1_000;",
    now: "const PAGE = 1001;",
    why: "Pages of any size come to the same.",
  },
  {
    file: "server/domains/ledger/journal.ts",
    was: "let [low, high] = [1, count + 1];",
    now: "let [low, high] = [(0), count + 1];",
    why: "The search begins one lower, and ends at the same place.",
  },
  {
    file: "server/domains/ledger/ledger-sum.ts",
    was: "const EVERY_MS = 5 * MINUTE_MS;",
    now: "const EVERY_MS = 6 * MINUTE_MS;",
    why: "How often it is summed is no promise to the minute.",
  },
  {
    file: "server/domains/ledger/ledger-sum.ts",
    was: "const EVERY_MS = 5 * MINUTE_MS;",
    now: "const EVERY_MS = (4) * MINUTE_MS;",
    why: "How often it is summed is no promise to the minute.",
  },
];
