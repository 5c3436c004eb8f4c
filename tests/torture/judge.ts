import { setTimeout as sleep } from "node:timers/promises";
import { fairRound } from "#shared/contract/fair.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { doRecharge } from "#shared/contract/payments.ts";
import { buyPlan } from "#shared/contract/wallet.ts";
import { luckdraw } from "#shared/contract/wheel.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { DAY_MS, dayText, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { eventually } from "../support/client.ts";
import { withConnection } from "../support/own-connection.ts";
import { cents, faultsOf } from "../support/recompute.ts";
import type { ServerProcess } from "../support/server-process.ts";
import {
  calendarFaults,
  houseFaults,
  readBooks,
  walletFaults,
  type Books,
  type RoundRow,
} from "../stories/crash-books.ts";
import { GONE, type Load, type Payment } from "../stories/crash-load.ts";
import { cycleFaults } from "./cycles.ts";
import type { Asked, History, RecordingClient } from "./history.ts";
import { linearityFaults } from "./linear.ts";
import { pushFaults, type Device, type PlayedRound } from "./pushes.ts";
import type { SiteTime } from "./site-time.ts";

/** What a check found wrong. */
export interface Fault {
  check: string;
  text: string;
}

/** Fails a test with every fault in words: a report of a list cuts them. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Error(faults.map(({ check, text }) => `${check}: ${text}`).join("\n"));
}

/** What a run did, and what was wrong. */
export interface Report {
  figures: Record<string, number>;
  faults: Fault[];
}

/** What was played, and by whom. */
export interface Played {
  server: ServerProcess;
  members: RecordingClient[];
  /** More servers of the same site. */
  beside?: ServerProcess[];
  /** One more device of each member, which only listens. */
  devices: Device[];
  load: Load;
  history: History;
  games: { key: string; periodS: number }[];
  /** The site's time when it was opened. */
  beganAt: number;
  /** What its clocks have shown. */
  time: SiteTime;
  /** The database has lost what it had acknowledged, and orders with it. */
  hasLost?: boolean;
  /** Lines above a warning that the log has to have. */
  expects?: RegExp;
  /** And lines that it may have: the machine's fault, of which the operator must know. */
  allows?: RegExp;
  close(): Promise<void>;
}

/** So many faults of one check tell enough, and so much of a line of the log. */
const MOST = 5;
const LINE_LENGTH = 1_500;

interface Rows {
  /** The right time before they were read. */
  readAt: number;
  books: Books;
  names: { id: number; username: string }[];
  spins: { id: number; member: number; commit: string; nonce: number; prize: string }[];
  withdrawals: { id: number; member: number; amount: number }[];
  plans: { member: number }[];
  uploads: { member: number; path: string }[];
  games: { id: number; key: string }[];
}

const readRows = ({ server: { database }, time }: Played): Promise<Rows> =>
  withConnection(database, async ({ all }) => ({
    readAt: time.right,
    books: await readBooks(database),
    names: await all("select id, username from members"),
    spins: await all(
      `select s.id, s.member_id as member, p."commit", s.nonce, s.prize_id as prize
         from spins s join wheel_pairs p on p.id = s.pair_id`,
    ),
    withdrawals: await all("select id, member_id as member, amount from withdrawals"),
    plans: await all("select member_id as member from transfers where code = 'plan'"),
    uploads: await all("select member_id as member, path from uploads"),
    games: await all("select id, key from games"),
  }));

/** The username of the member at this place. */
export const nameOf = (member: number): string => `torture_${member}`;

/**
 * Judges what members were told against what the database has, against public data, and against each other. Every
 * request must have been answered, and every round with a bet be settled.
 */
export async function judge(played: Played): Promise<Fault[]> {
  const { server, history, load, games, time } = played;
  const rows = await readRows(played);
  const periodS = new Map(rows.games.map(({ id, key }) => [id, games.find((game) => game.key === key)!.periodS]));
  // Devices hear on: first comes what compares them with the rows. Then one after the other: a long calculation would let
  // connections of a check beside it run out.
  const checks: Record<string, () => string[] | Promise<string[]>> = {
    pushes: () => pushFaults(played.devices, placed(rows).changes, history, playedRounds(rows, periodS), time),
    answers: () => load.oddities.filter((text) => !isExplained(played, text)),
    log: () => loudLines(played),
    acknowledged: () => acknowledged(played, rows),
    wallets: () => walletFaults(rows.books),
    house: () => houseFaults(rows.books),
    calendar: () => [...calendars(played, rows), ...reopened(rows)],
    closing: () => lateBets(rows.books, periodS),
    draws: () => draws(played, rows),
    files: () => files(played),
    history: () => linearityFaults(history, placed(rows).changes),
    cycles: () => cycleFaults(history, placed(rows)),
    audit: () => audit(server),
  };
  const faults: Fault[] = [];
  for (const [check, look] of Object.entries(checks)) {
    for (const text of (await look()).slice(0, MOST)) faults.push({ check, text });
    // Connections that ended meanwhile are dropped.
    await sleep(0);
  }
  return faults;
}

/** How long rounds may take to be settled. */
const PATIENCE_MS = 180_000;

/** Resolves when every round with a bet is settled, or with what is wrong. */
export const settled = ({ server }: Played): Promise<string[]> =>
  eventually(async () => {
    const { bets, rounds } = await readBooks(server.database);
    const last = bets.at(-1)?.round ?? 0;
    if (rounds.some(({ id, indexedAt }) => id <= last && indexedAt === null)) throw new Error("a round is not settled");
  }, PATIENCE_MS).then(
    () => [],
    (error: Error) => [error.message],
  );

/** The books with each member's place instead of their id. */
function placed({ books, names }: Rows): Books {
  const places = new Map(names.map(({ id, username }) => [id, Number(username.split("_")[1])]));
  return { ...books, changes: books.changes.map((change) => ({ ...change, member: places.get(change.member)! })) };
}

/** Whether a clock that was ahead had opened a round, two or more too early: it was closed once the clock was right. */
const wasEarly = ({ closedAt, drawsAt }: RoundRow, periodS: number) =>
  closedAt !== null && drawsAt > closedAt + 2 * periodS * SECOND_MS;

/** What each round was, by its id. */
function playedRounds({ books, games }: Rows, periodS: Map<number, number>): Map<number, PlayedRound> {
  const keys = new Map(games.map(({ id, key }) => [id, key]));
  return new Map(
    books.rounds.map((round) => {
      const { id, game, closedAt, closesAt } = round;
      const isInTime = closedAt !== null && (closedAt >= closesAt || wasEarly(round, periodS.get(game)!));
      return [id, { name: `${keys.get(game)} ${nameOfRound(round)}`, game, closedAt: isInTime ? closedAt : null }];
    }),
  );
}

const nameOfRound = ({ day, number }: { day: number; number: number }) =>
  `${dayText(day)}-${String(number).padStart(4, "0")}`;

const isExplained = ({ hasLost }: Played, text: string) => hasLost && text.startsWith(GONE);

function loudLines({ server, beside = [], expects, allows }: Played): string[] {
  const lines = [server, ...beside].flatMap(({ logged }) => logged.join("").split("\n"));
  const loud = lines.filter((line) => /"level":[56]0/.test(line));
  const isSaid = !expects || loud.some((line) => expects.test(line));
  const others = loud
    .filter((line) => !expects?.test(line) && !allows?.test(line))
    .map((line) => line.slice(-LINE_LENGTH));
  return isSaid ? others : [...others, "the log does not tell the operator"];
}

/** One act of a member, as its answer or its row in the database tells it. */
interface Act {
  text: string;
  /** Who asked for it, of those that were told. */
  asked?: Asked;
}

/** What members were told that they did, but for top-ups. */
function toldActs({ history }: Played, idOf: (member: number) => number): Act[] {
  const acts = <R>(endpoint: { path: string }, what: string, describe: (data: R) => string) =>
    history.done<R>(endpoint).map((asked) => {
      return { text: `${what} ${idOf(asked.member)} ${describe(asked.answer.data)}`, asked };
    });
  return [
    ...acts<ReplyOf<typeof placeOrder>>(
      placeOrder,
      "bet",
      ({ id, total, balance }) => `${id} ${cents(total)} ${cents(balance)}`,
    ),
    ...acts<ReplyOf<typeof luckdraw>>(luckdraw, "spin", ({ commit, nonce, id }) => `${commit} ${nonce} ${id}`),
    ...acts<ReplyOf<typeof setUserWithdraw>>(setUserWithdraw, "withdrawal", ({ id, money }) => `${id} ${cents(money)}`),
    ...acts(buyPlan, "plan", () => ""),
    ...acts<string>(uploadImage, "upload", String),
  ];
}

const storedActs = ({ books, ...rows }: Rows): Act[] =>
  [
    ...books.bets.map(({ member, id, total, balance }) => `bet ${member} bet_${id} ${total} ${balance}`),
    ...rows.spins.map(({ member, commit, nonce, prize }) => `spin ${member} ${commit} ${nonce} ${prize}`),
    ...rows.withdrawals.map(({ member, id, amount }) => `withdrawal ${member} wdr_${id} ${amount}`),
    ...rows.plans.map(({ member }) => `plan ${member} `),
    ...rows.uploads.map(({ member, path }) => `upload ${member} ${path}`),
  ].map((text) => ({ text }));

const idsOf = ({ names }: Rows) => {
  const ids = new Map(names.map(({ id, username }) => [username, id]));
  return (member: number) => ids.get(nameOf(member))!;
};

/** How long an order may be paid. After that its page is closed, and sends whoever taps it back. */
const PAYABLE_MS = 30 * MINUTE_MS;

/** Orders that were not credited, and whose time was over by some clock when their member paid. */
function expiredOrders({ load, history, time }: Played, { books }: Rows): Set<string> {
  const credits = new Map(books.deposits.map(({ order, credits: count }) => [order, count]));
  const asked = new Map(
    history.done<ReplyOf<typeof doRecharge>>(doRecharge).map((one) => [one.answer.data.order, one]),
  );
  const isExpired = ({ order, endedMs }: Payment) =>
    credits.get(order) === 0 && time.mayHavePassed(PAYABLE_MS, history.spanOf(asked.get(order)!), endedMs);
  return new Set(load.payments.filter(isExpired).map(({ order }) => order));
}

/** Whether exactly what was acknowledged is in the database: nothing is missing, and nothing is there twice. */
function acknowledged(played: Played, rows: Rows): string[] {
  const { load } = played;
  const expired = expiredOrders(played, rows);
  const topUps = load.payments.map(({ order, paid }) => {
    return { text: `top-up ${order} ${Number(paid && !expired.has(order))}` };
  });
  const isTold = new Set(load.payments.map(({ order }) => order));
  // Who asks again after an order lapsed gets another one, and the first may have been told nobody.
  const deposits = rows.books.deposits.filter(
    ({ order, status, credits: count }) => isTold.has(order) || status !== "failed" || count > 0,
  );
  const credits = deposits.map(({ order, credits: count }) => ({ text: `top-up ${order} ${count}` }));
  const told = [...toldActs(played, idsOf(rows)), ...topUps];
  const { missing, more } = difference(told, [...storedActs(rows), ...credits]);
  return [
    ...missing
      .filter(({ asked }) => !asked || !mayBeSwept(played, asked))
      .map(({ text }) => `${text} was acknowledged and is not there`),
    ...more.map(({ text }) => `${text} was never acknowledged`),
  ];
}

/** What the database has lost of what was acknowledged, but for top-ups. */
export async function lostOf(played: Played): Promise<Asked[]> {
  const rows = await readRows(played);
  return difference(toldActs(played, idsOf(rows)), storedActs(rows)).missing.map(({ asked }) => asked!);
}

/** What one side has more often than the other. */
function difference(told: Act[], stored: Act[]): { missing: Act[]; more: Act[] } {
  const left = Map.groupBy(stored, ({ text }) => text);
  const missing = told.filter(({ text }) => left.get(text)?.pop() === undefined);
  return { missing, more: [...left.values()].flat() };
}

function calendars({ games }: Played, { books, games: rows, readAt }: Rows): string[] {
  return games.flatMap(({ key, periodS }) => {
    const { id } = rows.find((row) => row.key === key)!;
    const own = <T extends { game: number }>(list: T[]) => list.filter(({ game }) => game === id);
    // The newest round may be late.
    const upTo = Math.floor(readAt / (periodS * SECOND_MS)) - 2;
    return calendarFaults({ ...books, rounds: own(books.rounds), gaps: own(books.gaps) }, 86_400 / periodS, upTo);
  });
}

/** A place's commit gives away all before it of its day: rounds of a day open in order. */
function reopened({ books, games }: Rows): string[] {
  const highest = new Map<string, number>();
  return books.rounds.flatMap((round) => {
    const day = `${games.find(({ id }) => id === round.game)!.key} ${round.day}`;
    const before = highest.get(day) ?? 0;
    highest.set(day, Math.max(before, round.number));
    return round.number > before ? [] : [`${day}: round ${round.number} was opened after round ${before}`];
  });
}

function lateBets({ rounds, bets }: Books, periodS: Map<number, number>): string[] {
  const byId = new Map(rounds.map((round) => [round.id, round]));
  return bets.flatMap(({ id, round, at }) => {
    const row = byId.get(round)!;
    const { game, openedAt, closesAt, closedAt, fromBet, toBet } = row;
    const period = periodS.get(game)!;
    // Where the clock was set back meanwhile, its time says nothing.
    const isBefore = closedAt === null || at <= closedAt || wasEarly(row, period);
    const isItsTime = at < closesAt && Math.min(at, openedAt) >= row.drawsAt - period * SECOND_MS;
    return isItsTime && isBefore && id >= fromBet && id <= (toBet ?? id)
      ? []
      : [`bet ${id} came after the closing of round ${round}`];
  });
}

/** Every closed round is drawn from the seed whose commitment its game showed while it was open. */
async function draws({ members, load, games }: Played, { books, games: rows }: Rows): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, game, closesAt, closedAt, skippedAt, indexedAt, ...place } of books.rounds) {
    if (closedAt === null) continue;
    const bet = books.bets.find(({ round }) => round === id);
    if (skippedAt !== null) {
      if (bet) faults.push(`round ${id} was skipped and has bet ${bet.id}`);
      continue;
    }
    const { key } = rows.find((row) => row.id === game)!;
    const name = nameOfRound(place);
    if (indexedAt === null) {
      if (bet) faults.push(`${key} ${name}, closed at ${closesAt}, is not settled`);
      continue;
    }
    const round = await members[0]!.must(fairRound, { key, expect: name });
    faults.push(...faultsOf(round));
    const shown = key === games[0]!.key ? load.commits.get(name) : undefined;
    if (shown !== undefined && shown !== round.commit) faults.push(`${name} showed another commit while it was open`);
  }
  return faults;
}

/** How long an upload is kept that nobody wears. */
const UNUSED_MS = DAY_MS;

/** Whether an upload may be gone: some clock has shown since that it is a day old. */
const mayBeSwept = ({ time, history }: Pick<Played, "time" | "history">, asked: Asked) =>
  asked.path === uploadImage.path && time.mayHavePassed(UNUSED_MS, history.spanOf(asked));

/** Every acknowledged upload is served, whole, unless it was swept: its row goes before its file. */
async function files({ server, history, time }: Played): Promise<string[]> {
  const faults: string[] = [];
  await withConnection(server.database, async (connection) => {
    const isListed = async (path: string) =>
      (await connection.all("select 1 from uploads where path = ?", path)).length > 0;
    for (const { answer, ...asked } of history.done<string>(uploadImage)) {
      // A connection that was kept alive may be closed as it is used.
      const response = await eventually(() => fetch(`${server.address}${answer.data}`));
      const bytes = Buffer.from(await response.arrayBuffer());
      const isSwept = response.status === 404 && mayBeSwept({ time, history }, { ...asked, answer });
      if (isSwept && !(await isListed(answer.data))) continue;
      const isWhole = bytes.subarray(8, 12).toString() === "WEBP" && bytes.readUInt32LE(4) + 8 === bytes.length;
      if (response.status !== 200 || !isWhole) faults.push(`${answer.data} is answered ${response.status}`);
    }
  });
  return faults;
}

/** What the operator's audit finds in the running site. */
export async function audit(server: ServerProcess): Promise<string[]> {
  const { code, out } = await server.run("server/admin/main.ts", "audit", "--json");
  if (code !== 0 && !out.startsWith("{")) return [out];
  return (JSON.parse(out) as { problems: string[] }).problems;
}
