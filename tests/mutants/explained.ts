import { OF_AUDIT, type Reasons } from "./explained-audit.ts";
import { OF_BETS } from "./explained-bets.ts";
import { OF_LEDGER } from "./explained-ledger.ts";
import { OF_LOG } from "./explained-log.ts";
import { OF_LOTTERY } from "./explained-lottery.ts";

/** A mutant that no test can notice. The file and both lines name it; line numbers may move. */
export interface Explained {
  file: string;
  was: string;
  now: string;
  why: string;
}

const REASONS: Reasons = {
  ...OF_AUDIT,
  ...OF_BETS,
  ...OF_LEDGER,
  ...OF_LOG,
  ...OF_LOTTERY,
  "client/offline/files.ts": [
    [
      "const LONGEST_EXPORT = 100_000_000;",
      "const LONGEST_EXPORT = 100000001;",
      "Where exactly a file is too long is no promise.",
    ],
    ["let count = 0;", "let count = 1;", "The same counts are shown, a line earlier."],
    [
      "const end = file.slice(Math.max(0, file.size - LONGEST_LAST_LINE));",
      "const end = file.slice(Math.max(1, file.size - LONGEST_LAST_LINE));",
      "The first byte is never of the last line: a file of one line is unsigned.",
    ],
    [
      "const log = file.size <= LONGEST_EXPORT ? checkBets(jsonIn(await file.text()), witnesses) : null;",
      "const log = file.size < LONGEST_EXPORT ? checkBets(jsonIn(await file.text()), witnesses) : null;",
      "Where exactly a file is too long is no promise.",
    ],
    [
      "const painted = () => new Promise((resolve) => setTimeout(resolve));",
      "const painted = () => undefined;",
      "Only eyes see whether a count is painted.",
    ],
    ["await painted();", ";", "Only eyes see whether a count is painted."],
  ],
  "client/offline/main.ts": [
    [
      "document.documentElement.dir = LOCALES.find((one) => one.tag === tag)!.direction;",
      "document.documentElement.dir = LOCALES.find((one) => one.tag !== tag)!.direction;",
      "All languages so far are written from left to right.",
    ],
  ],
  "client/watch/head-times.ts": [
    [
      "const isRead = last?.origin === log.origin && now >= last.at && now < last.at + NEWEST_EVERY_MS;",
      "const isRead = last?.origin === log.origin && now < last.at && now < last.at + NEWEST_EVERY_MS;",
      "The same is read, more often.",
    ],
  ],
  "client/watch/hours.ts": [
    ["const ASKED_EVERY_MS = 20_000;", "const ASKED_EVERY_MS = 20001;", "How often exactly is no promise."],
  ],
  "server/domains/account/cooling.ts": [
    ["return member?.until ?? 0;", "return member?.until ?? 1;", "Both are long ago."],
  ],
  "server/domains/account/hash-lanes.ts": [
    [
      "const SLOTS = availableParallelism() > 2 ? 2 : 1;",
      "const SLOTS = availableParallelism() > (1) ? 2 : 1;",
      "How many cores the machine of the tests has decides it.",
    ],
    [
      "const SLOTS = availableParallelism() > 2 ? 2 : 1;",
      "const SLOTS = availableParallelism() > 2 ? 3 : 1;",
      "How many cores the machine of the tests has decides it.",
    ],
    [
      "const retryAfterS = Math.ceil((lane.size * LANES.length * HASH_MS) / 1000);",
      "const retryAfterS = Math.ceil((lane.size * LANES.length * HASH_MS) / 1001);",
      "When to come back is a guess, to the second.",
    ],
    [
      'dropped?.refuse(new Refusal("attempts.many", { retryAfterS: Math.max(1, retryAfterS) }));',
      'dropped?.refuse(new Refusal("attempts.many", { retryAfterS: Math.max((0), retryAfterS) }));',
      "A lane that drops somebody is full, so the guess is above a second.",
    ],
  ],
  "server/domains/account/passcode.ts": [
    [
      'if (lockMs > 0) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeLocked", facts));',
      'if (lockMs > 1) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeLocked", facts));',
      "No lock is of one millisecond.",
    ],
  ],
  "server/domains/account/passkey-challenge.ts": [
    ["const TIME_BYTES = 8;", "const TIME_BYTES = 9;", "A challenge with one more byte is as good."],
    [
      "const HEAD_BYTES = TIME_BYTES + 16;",
      "const HEAD_BYTES = TIME_BYTES + 17;",
      "A challenge with one more byte is as good.",
    ],
  ],
  "server/domains/account/queue-push.ts": [
    [
      "withdrawals: 3 * DAY_MS,",
      "withdrawals: 4 * DAY_MS,",
      "How long a push service keeps it for a device that is off is no promise to the day.",
    ],
    [
      "security: 3 * DAY_MS,",
      "security: (2) * DAY_MS,",
      "How long a push service keeps it for a device that is off is no promise to the day.",
    ],
  ],
  "server/domains/video/send-media.ts": [
    [
      "const TIMEOUT_MS = 60_000;",
      "const TIMEOUT_MS = 60001;",
      "Nobody notices a millisecond more of a minute's patience.",
    ],
    [
      'const [, first, last] = /^bytes=[ \\t]*(\\d{0,15})-(\\d{0,15})[ \\t]*$/.exec(header ?? "") ?? [];',
      "const [, first, last] = /^bytes=[ \\t]*(\\d{0,15})-(\\d{0,15})[ \\t]*$/.exec((header)) ?? [];",
      "An absent header is matched as the word undefined, which is no range either.",
    ],
  ],
  "server/domains/video/video-files.ts": [
    ["const MOST_CACHED = 200;", "const MOST_CACHED = 201;", "How much exactly is cached is no promise."],
    ["const MOST_POSTERS = 2_000;", "const MOST_POSTERS = 2001;", "How much exactly is cached is no promise."],
  ],
  "server/domains/video/viewer-status.ts": [
    [
      "if (!row) return { readAt, memberId: 0, isOpen: false, memberUntil: 0 };",
      "if (!row) return { readAt, memberId: 1, isOpen: false, memberUntil: 0 };",
      "This status is not cached, and only of a cached one the member is asked for.",
    ],
    ["const MOST_CACHED = 20_000;", "const MOST_CACHED = 20001;", "How much exactly is cached is no promise."],
    ["#changes = 0;", "#changes = (-1);", "Only whether it changed is asked."],
    [
      "const age = this.#deps.clock.now() - (known?.readAt ?? 0);",
      "const age = this.#deps.clock.now() - (known?.readAt ?? (-1));",
      "Both are long ago.",
    ],
  ],
  "server/domains/wheel/pairs.ts": [
    [
      "if (memberIds.length === 0) return new Map();",
      "if (memberIds.length === (-1)) return new Map();",
      "Without members, what follows writes nothing: the guard spares a statement.",
    ],
    [
      'if (over.length < open.length) throw new Error(`one of the pairs ${ids.join(", ")} was revealed concurrently`);',
      "if (over.length < open.length) ;",
      "The pair was read in the same transaction, and SQLite has one writer at a time.",
    ],
    [
      "if (!pair) throw new Error(`pair ${id} got its words concurrently`);",
      "if (!pair) ;",
      "The pair was read in the same transaction, and SQLite has one writer at a time.",
    ],
  ],
  "server/domains/wheel/spin.ts": [
    [
      "const paid = stakes.get(turn.order.memberId) ?? null;",
      "const paid = (stakes.get(turn.order.memberId));",
      "Nothing tells an undefined stake from none.",
    ],
  ],
  "server/domains/wheel/spins-left.ts": [
    [
      "const { day = 0, used = 0, extra = 0 } = had.get(id) ?? {};",
      "const { day = 1, used = 0, extra = 0 } = had.get(id) ?? {};",
      "Both days are in 1970, and nothing was used on either.",
    ],
  ],
  "server/domains/wheel/state-wheel.ts": [
    ['await deps.announce(tx, "log.waiting", {});', ";", "The log looks by itself, only later."],
  ],
  "server/domains/wheel/turns.ts": [
    [
      'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : 0)));',
      'Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : (-1))));',
      "The largest of them is at least 0 anyway.",
    ],
    ["let newPairs = 0;", "let newPairs = (-1);", "How many new pairs exactly share a transaction is no promise."],
    [
      'if (!(turn instanceof Refusal || "id" in turn.pair)) newPairs++;',
      'if ((turn instanceof Refusal || "id" in turn.pair)) newPairs++;',
      "How many new pairs exactly share a transaction is no promise.",
    ],
  ],
  "server/verify/log-files.ts": [
    [
      "const TIMEOUT_MS = 20_000;",
      "const TIMEOUT_MS = 20001;",
      "Nobody notices a millisecond more of twenty seconds' patience.",
    ],
  ],
  "server/verify/served.ts": [
    [
      "const TIMEOUT_MS = 20_000;",
      "const TIMEOUT_MS = 20001;",
      "Nobody notices a millisecond more of twenty seconds' patience.",
    ],
    ["const AT_ONCE = 8;", "const AT_ONCE = (7);", "How many files exactly are asked for at once is no promise."],
    ["const AT_ONCE = 8;", "const AT_ONCE = 9;", "How many files exactly are asked for at once is no promise."],
  ],
  "shared/export-signature.ts": [
    [
      "export const LONGEST_LAST_LINE = 1_024;",
      "export const LONGEST_LAST_LINE = 1025;",
      "How much of the end is read is no promise, as long as it is enough.",
    ],
    [
      "const begin = end.lastIndexOf(10, -2) + 1;",
      "const begin = end.lastIndexOf(10, -3) + 1;",
      "They differ where the last line is empty, and that is no signature either way.",
    ],
  ],
  "shared/lottery/shown-odds.ts": [
    [
      'if (returned === undefined || Math.abs(returned - rtp) > ROUNDING) faults.add("return");',
      'if (returned === undefined || Math.abs(returned - rtp) >= ROUNDING) faults.add("return");',
      "The difference of two returns is a multiple of a power of two, which 1e-9 is not.",
    ],
    [
      "const isNear = (one: number, other: number) => Math.abs(one - other) <= ROUNDING;",
      "const isNear = (one: number, other: number) => Math.abs(one - other) < ROUNDING;",
      "The difference of two returns is a multiple of a power of two, which 1e-9 is not.",
    ],
  ],
  "shared/wheel.ts": [
    [
      "export const PUBLIC_AFTER_MS = 6_000;",
      "export const PUBLIC_AFTER_MS = 6001;",
      "How long exactly a prize stays its member's own is no promise, and server and app read the same figure.",
    ],
  ],
};

export const EXPLAINED: readonly Explained[] = Object.entries(REASONS).flatMap(([file, reasons]) =>
  reasons.map(([was, now, why]) => ({ file, was, now, why })),
);
