import { fairRound } from "#shared/contract/fair.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { buyPlan } from "#shared/contract/wallet.ts";
import { luckdraw } from "#shared/contract/wheel.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { dayText } from "#shared/time.ts";
import { eventually } from "../support/client.ts";
import { withConnection } from "../support/own-connection.ts";
import { cents, faultsOf } from "../support/recompute.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { calendarFaults, houseFaults, readBooks, walletFaults, type Books } from "../stories/crash-books.ts";
import { GONE, type Load } from "../stories/crash-load.ts";
import { cycleFaults } from "./cycles.ts";
import type { Asked, History, RecordingClient } from "./history.ts";
import { linearityFaults } from "./linear.ts";
import { pushFaults, type Device, type PlayedRound } from "./pushes.ts";

/** What a check found wrong. */
export interface Fault {
  check: string;
  text: string;
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
  /** One more device of each member, which only listens. */
  devices: Device[];
  load: Load;
  history: History;
  games: { key: string; periodS: number }[];
  /** The site's time when it was opened. */
  beganAt: number;
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
  books: Books;
  names: { id: number; username: string }[];
  spins: { id: number; member: number; commit: string; nonce: number; prize: string }[];
  withdrawals: { id: number; member: number; amount: number }[];
  plans: { member: number }[];
  uploads: { member: number; path: string }[];
  games: { id: number; key: string }[];
}

const readRows = (database: string): Promise<Rows> =>
  withConnection(database, async ({ all }) => ({
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
  const { server, history, load } = played;
  const rows = await readRows(server.database);
  const checks: Record<string, string[] | Promise<string[]>> = {
    answers: load.oddities.filter((text) => !isExplained(played, text)),
    log: loudLines(played),
    acknowledged: acknowledged(played, rows),
    wallets: walletFaults(rows.books),
    house: houseFaults(rows.books),
    calendar: calendars(played, rows),
    closing: lateBets(rows.books),
    draws: draws(played, rows),
    files: files(played),
    history: linearityFaults(history, placed(rows).changes),
    cycles: cycleFaults(history, placed(rows)),
    pushes: pushFaults(played.devices, placed(rows).changes, history, playedRounds(rows)),
    audit: audit(server),
  };
  const faults: Fault[] = [];
  for (const [check, found] of Object.entries(checks))
    for (const text of (await found).slice(0, MOST)) faults.push({ check, text });
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

/** What each round was, by its id. */
function playedRounds({ books, games }: Rows): Map<number, PlayedRound> {
  const keys = new Map(games.map(({ id, key }) => [id, key]));
  return new Map(
    books.rounds.map((round) => {
      const { id, game, closesAt } = round;
      return [id, { name: `${keys.get(game)} ${nameOfRound(round)}`, game, closesAt }];
    }),
  );
}

const nameOfRound = ({ day, number }: { day: number; number: number }) =>
  `${dayText(day)}-${String(number).padStart(4, "0")}`;

const isExplained = ({ hasLost }: Played, text: string) => hasLost && text.startsWith(GONE);

function loudLines({ server, expects, allows }: Played): string[] {
  const lines = server.logged.join("").split("\n");
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

/** Whether exactly what was acknowledged is in the database: nothing is missing, and nothing is there twice. */
function acknowledged(played: Played, rows: Rows): string[] {
  const { load } = played;
  const topUps = load.payments.map(({ order, paid }) => ({ text: `top-up ${order} ${Number(paid)}` }));
  const credits = rows.books.deposits.map(({ order, credits: count }) => ({ text: `top-up ${order} ${count}` }));
  const told = [...toldActs(played, idsOf(rows)), ...topUps];
  const { missing, more } = difference(told, [...storedActs(rows), ...credits]);
  return [
    ...missing.map(({ text }) => `${text} was acknowledged and is not there`),
    ...more.map(({ text }) => `${text} was never acknowledged`),
  ];
}

/** What the database has lost of what was acknowledged, but for top-ups. */
export async function lostOf(played: Played): Promise<Asked[]> {
  const rows = await readRows(played.server.database);
  return difference(toldActs(played, idsOf(rows)), storedActs(rows)).missing.map(({ asked }) => asked!);
}

/** What one side has more often than the other. */
function difference(told: Act[], stored: Act[]): { missing: Act[]; more: Act[] } {
  const left = Map.groupBy(stored, ({ text }) => text);
  const missing = told.filter(({ text }) => left.get(text)?.pop() === undefined);
  return { missing, more: [...left.values()].flat() };
}

function calendars({ games }: Played, { books, games: rows }: Rows): string[] {
  return games.flatMap(({ key, periodS }) => {
    const { id } = rows.find((row) => row.key === key)!;
    const own = <T extends { game: number }>(list: T[]) => list.filter(({ game }) => game === id);
    return calendarFaults({ ...books, rounds: own(books.rounds), gaps: own(books.gaps) }, 86_400 / periodS);
  });
}

function lateBets({ rounds, bets }: Books): string[] {
  const byId = new Map(rounds.map((round) => [round.id, round]));
  return bets.flatMap(({ id, round, at }) => {
    const { closesAt, closedAt, fromBet, toBet } = byId.get(round)!;
    const isIn = at < closesAt && at <= (closedAt ?? at) && id >= fromBet && id <= (toBet ?? id);
    return isIn ? [] : [`bet ${id} came after the closing of round ${round}`];
  });
}

/** Every closed round is drawn from the seed whose commitment its game showed while it was open. */
async function draws({ members, load, games }: Played, { books, games: rows }: Rows): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, game, closesAt, closedAt, indexedAt, ...place } of books.rounds) {
    if (closedAt === null) continue;
    const { key } = rows.find((row) => row.id === game)!;
    const name = nameOfRound(place);
    if (indexedAt === null) {
      const hasBets = books.bets.some(({ round }) => round === id);
      if (hasBets) faults.push(`${key} ${name}, closed at ${closesAt}, is not settled`);
      continue;
    }
    const round = await members[0]!.must(fairRound, { key, expect: name });
    faults.push(...faultsOf(round));
    const shown = key === games[0]!.key ? load.commits.get(name) : undefined;
    if (shown !== undefined && shown !== round.commit) faults.push(`${name} showed another commit while it was open`);
  }
  return faults;
}

/** Every acknowledged upload is served, whole. */
async function files({ server, history }: Played): Promise<string[]> {
  const faults: string[] = [];
  for (const { answer } of history.done<string>(uploadImage)) {
    const response = await fetch(`${server.address}${answer.data}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isWhole = bytes.subarray(8, 12).toString() === "WEBP" && bytes.readUInt32LE(4) + 8 === bytes.length;
    if (response.status !== 200 || !isWhole) faults.push(`${answer.data} is answered ${response.status}`);
  }
  return faults;
}

/** What the operator's audit finds in the running site. */
export async function audit(server: ServerProcess): Promise<string[]> {
  const { code, out } = await server.run("server/admin/main.ts", "audit", "--json");
  if (code !== 0 && !out.startsWith("{")) return [out];
  return (JSON.parse(out) as { problems: string[] }).problems;
}
