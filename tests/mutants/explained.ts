/** A mutant that no test can notice. The file and both lines name it; line numbers may move. */
export interface Explained {
  file: string;
  was: string;
  now: string;
  why: string;
}

export const EXPLAINED: readonly Explained[] = [
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
    was: 'const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;',
    now: 'const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 28)}"`;',
    why: "Of the hash, 27 letters tell files apart as well as 28.",
  },
  {
    file: "server/domains/video/viewer-status.ts",
    was: "if (!row) return { readAt, memberId: 0, isOpen: false, memberUntil: 0 };",
    now: "if (!row) return { readAt, memberId: 1, isOpen: false, memberUntil: 0 };",
    why: "This status is not cached, and only of a cached one the member is asked for.",
  },
  {
    file: "server/domains/wheel/pairs.ts",
    was: "if (!over) throw new Error(`pair ${id} was revealed concurrently`);",
    now: "if (!over) ;",
    why: "The pair was read in the same transaction, and SQLite has one writer at a time.",
  },
  {
    file: "server/domains/wheel/pairs.ts",
    was: "if (!pair) throw new Error(`pair ${next.id} got its words concurrently`);",
    now: "if (!pair) ;",
    why: "The pair was read in the same transaction, and SQLite has one writer at a time.",
  },
  {
    file: "server/domains/wheel/spin.ts",
    was: 'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : 0)));',
    now: 'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : (-1))));',
    why: "The largest of them is at least 0 anyway.",
  },
  {
    file: "shared/log/read-tiles.ts",
    was: "for (let i = 0; i < width && end + 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
    now: "for (let i = 0; i < width && end - 2 <= wide.length; i++) end += 2 + wide[end]! * 256 + wide[end + 1]!;",
    why: "Past the end of a cut bundle the sum is no number, and such a bundle is refused either way.",
  },
];
