import type { Change } from "./plant.ts";

/** A bug that a run has to find. */
export interface Bug extends Change {
  name: string;
  /** Where it is: in the ledger's SQL, in outbox and pushes, in numbering and heads of the log, or elsewhere. */
  area: "ledger" | "pushes" | "log" | "other";
  /** The part of a run that is to find it. */
  part: "kills" | "cuts" | "clocks" | "soak";
  /** Members' files lie in a bucket. */
  inBucket?: true;
  /** It shows itself at a moment that not every run has: so many runs, at most, with other moments. One where none is given. */
  runs?: number;
  /** A run with it never ends: nothing is drawn any more. */
  hangs?: boolean;
}

const TRANSFER = "server/domains/ledger/transfer.ts";
const BETS = "server/domains/lottery/bet-book.sqlite.ts";
const SETTLE = "server/domains/lottery/settle.sqlite.ts";

/** On SQLite. */
export const BUGS: readonly Bug[] = [
  {
    name: "a transfer takes a wallet's change twice",
    area: "ledger",
    part: "kills",
    file: TRANSFER,
    was: "balance: sql`${wallets.balance} + ${delta}`",
    now: "balance: sql`${wallets.balance} + ${delta * 2}`",
  },
  {
    name: "a spin's price counts as two changes",
    area: "ledger",
    part: "kills",
    file: "server/domains/ledger/stake.ts",
    was: 'balance: named("balance - :total"),\n      version: named("version + 1")',
    now: 'balance: named("balance - :total"),\n      version: named("version + 2")',
  },
  {
    name: "the house's entry leaves a batch's last bet out",
    area: "ledger",
    part: "kills",
    file: BETS,
    was: "book.house.run(taken, fromId, toId, now)",
    now: "book.house.run(taken, fromId, Math.max(fromId, toId - 1), now)",
  },
  {
    name: "a payout leaves no row where it made an even version",
    area: "ledger",
    part: "kills",
    file: SETTLE,
    was: "if (win) payout.run(",
    now: "if (win && version % 2) payout.run(",
  },
  {
    name: "a bet is taken after its round's closing",
    area: "other",
    part: "kills",
    file: BETS,
    was: "isInUnit && closedAt === null && opensAt <= now && now < closesAt ? oddsId : null",
    now: "isInUnit && opensAt <= now ? oddsId : null",
  },
  {
    name: "no wallet's change is pushed that leaves an even version",
    area: "pushes",
    part: "kills",
    file: TRANSFER,
    was: "...events);",
    now: "...events.map((event) => (event.version % 2 ? event : { ...event, memberId: 0 })));",
  },
  {
    name: "a push tells the balance before its change",
    area: "pushes",
    part: "kills",
    file: "server/realtime/bridge.ts",
    was: "{ money: toDecimal(balance), delta: toDecimal(delta), type: code, version }",
    now: "{ money: toDecimal(balance - delta), delta: toDecimal(delta), type: code, version }",
  },
  {
    name: "a relay of the outbox drops each third row",
    area: "pushes",
    part: "kills",
    file: "server/app/outbox.ts",
    was: "for (const row of rows) this.#emit(row);",
    now: "for (const row of rows) if (row.id % 3) this.#emit(row);",
  },
  {
    name: "a look at the wallet is of one change ago",
    area: "other",
    part: "kills",
    file: "server/domains/session/user-info.ts",
    was: "const { balance, version } = await readWallet(read, memberId);",
    now:
      "const fresh = await readWallet(read, memberId);\n" +
      "  const { balance, version } = (globalThis.kept ??= new Map()).get(memberId) ?? fresh;\n" +
      "  globalThis.kept.set(memberId, fresh);",
  },
  {
    name: "a leaf's number skips one in an odd batch",
    area: "log",
    part: "kills",
    file: "server/domains/log/number-leaves.ts",
    was: "leaves.map(({ id }) => id),\n    size,",
    now: "leaves.map(({ id }) => id),\n    size + (leaves.length % 2),",
  },
  {
    name: "a head has another root after an odd batch",
    area: "log",
    part: "kills",
    hangs: true,
    file: "server/domains/log/number-leaves.ts",
    was: "const next = await growTree(tx, log, size, hashes);",
    now: "const next = { ...(await growTree(tx, log, size, hashes)) };\n  if (leaves.length % 2) next.root = hashes[0]!;",
  },
  {
    name: "dice fall from another seed than the committed one",
    area: "other",
    part: "kills",
    file: "server/domains/lottery/draw-round.ts",
    was: "const seed = seeds.reveal(game, round);",
    now: "const seed = seeds.reveal(game, { ...round, number: round.number + 1 });",
  },
  {
    name: "a day's places open again after the clock was set back",
    area: "other",
    part: "clocks",
    file: "server/domains/lottery/open-round.ts",
    was: 'import { markOpened, showGaps, shownUpTo } from "./shown-places.ts";',
    now:
      'import { showGaps } from "./shown-places.ts";\n' +
      "const [markOpened, shownUpTo] = [async () => {}, async () => 0];",
  },
  {
    name: "a round that was skipped is not waited for",
    area: "log",
    part: "clocks",
    runs: 3,
    file: "server/domains/log/told-closings.ts",
    was: "return found.orderBy(asc(logRounds.roundId));",
    now: "return found.orderBy(asc(logRounds.roundId)).limit(0);",
  },
  {
    name: "commits do not wait for the disk",
    area: "other",
    part: "cuts",
    file: "db/sqlite/open.ts",
    was: 'raw.pragma("recursive_triggers = ON");',
    // A start checks it of another connection than the writer's.
    now: 'if (new Error().stack.includes("sqlite/writer")) raw.pragma("synchronous = OFF");',
  },
  {
    name: "a file's name does not wait for its folder",
    area: "other",
    part: "cuts",
    file: "db/durable.ts",
    was: "await using folder = await open(path);\n    await folder.sync();",
    now: "await using folder = await open(path);",
  },
  {
    name: "a picture is listed before the bucket has it",
    area: "other",
    part: "cuts",
    inBucket: true,
    file: "server/domains/member/uploads.ts",
    was: "await deps.storage.put(name, bytes);",
    now: "setTimeout(() => deps.storage.put(name, bytes), 500);",
  },
  {
    name: "something is kept of each bet that nobody needs",
    area: "other",
    part: "soak",
    file: "server/domains/lottery/place-bet.ts",
    was: "const total = stake * order.item.length;",
    now: "const total = stake * order.item.length;\n    (globalThis.kept ??= []).push(new Array(8_000).fill(total));",
  },
  {
    name: "the outbox is not swept",
    area: "pushes",
    part: "soak",
    file: "server/jobs/retention.ts",
    was: "isOld: (before) => lt(outbox.createdAt, before),",
    now: "isOld: (before) => lt(outbox.createdAt, before - 365 * DAY_MS),",
  },
];
