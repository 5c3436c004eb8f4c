import { and, count, eq, isNull, like, lt, ne, not, notExists, sql, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  bankAccounts,
  erasedMembers,
  games,
  gaps,
  logKeys,
  type masterKeys,
  memberLeaves,
  members,
  passkeys,
  recoveryCodes,
  rounds,
  shownPlaces,
  wheelPairs,
} from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { DAY_MS, dayOf } from "#shared/time.ts";

type Row = typeof masterKeys.$inferSelect;
type Text = Parameters<typeof like>[0];

/** What a master key is needed for. */
export interface Need {
  what: string;
  count: number;
}

/** Texts that a key was used for: `seal.ts` says how they name it. */
export const isOf = (text: Text, version: number, before = ""): SQL =>
  version === 1
    ? and(like(text, `${before}%`), not(like(text, `${before}_.%`)), not(like(text, `${before}__.%`)))!
    : like(text, `${before}${version}.%`);

/** How the account stands in the content of a member's leaf, before its number. */
export const ACCOUNT = '%"account":"';

/** What is left that needs a key, and in particular that it be here. Nothing for one that may go. */
export async function needOfKey(read: Tx, { id }: Row, rows: readonly Row[], now: number): Promise<Need[]> {
  const next = rows.find((row) => row.id > id);
  if (!next || next.fromDay > dayOf(now)) return [{ what: "days to come", count: 1 }];
  const needs = [...(await sealedNeeds(read, id)), ...(await ownNeeds(read, id)), ...(await drawnNeeds(read, next))];
  return needs.filter((need) => need.count > 0);
}

/** What is left, in words: `1 bank accounts, 2 passwords`. */
export const needText = (needs: readonly Need[]): string =>
  needs.map(({ count, what }) => `${count} ${what}`).join(", ");

/** The keys of a database that are not here, and what each is still needed for: nothing for one that may be gone. */
export async function missingKeys(
  read: Tx,
  { keys, rows }: { keys: Pick<Keys, "all">; rows: readonly Row[] },
  now: number,
): Promise<{ row: Row; need: Need[] }[]> {
  const missing = rows.filter(({ id }) => !keys.all.some(({ version }) => version === id));
  return Promise.all(missing.map(async (row) => ({ row, need: await needOfKey(read, row, rows, now) })));
}

const total = { total: count() };

/** What servers encrypt anew by themselves. */
async function sealedNeeds(read: Tx, version: number): Promise<Need[]> {
  const [banks] = await read.select(total).from(bankAccounts).where(isOf(bankAccounts.sealed, version));
  const isBank = and(like(memberLeaves.key, "bank:%"), ne(memberLeaves.content, ""));
  const [leaves] = await read
    .select(total)
    .from(memberLeaves)
    .where(and(isBank, isOf(memberLeaves.content, version, ACCOUNT)));
  const isKept = ne(logKeys.sealedKey, "");
  const [signing] = await read
    .select(total)
    .from(logKeys)
    .where(and(isKept, isOf(logKeys.sealedKey, version)));
  const [handles] = version === 1 ? await read.select(total).from(passkeys).where(isNull(passkeys.handle)) : [];
  return [
    { what: "bank accounts", count: banks!.total },
    { what: "bank accounts in the log", count: leaves!.total },
    { what: "keys of the log", count: signing!.total },
    { what: "passkeys", count: handles?.total ?? 0 },
  ];
}

/** What only its member can renew. */
async function ownNeeds(read: Tx, version: number): Promise<Need[]> {
  const [passwords] = await read
    .select(total)
    .from(members)
    .where(like(members.passwordHash, `p${version}$%`));
  const [passcodes] = await read
    .select(total)
    .from(members)
    .where(like(members.payPinHash, `p${version}$%`));
  const [codes] = await read.select(total).from(recoveryCodes).where(isOf(recoveryCodes.codeHash, version));
  return [
    { what: "passwords", count: passwords!.total },
    { what: "passcodes", count: passcodes!.total },
    { what: "recovery codes", count: codes!.total },
  ];
}

/** Pairs from before a day that are not over. Those of erased members are never opened again. */
export const isOldPair = (read: Tx, fromDay: number): SQL =>
  and(
    isNull(wheelPairs.revealedAt),
    lt(wheelPairs.createdAt, fromDay * DAY_MS),
    notExists(
      read
        .select({ memberId: erasedMembers.memberId })
        .from(erasedMembers)
        .where(eq(erasedMembers.memberId, wheelPairs.memberId)),
    ),
  )!;

/** Pairs and rounds of its days that are not over, and gaps whose last seeds nobody was shown yet. */
async function drawnNeeds(read: Tx, { fromDay }: Row): Promise<Need[]> {
  const [pairs] = await read.select(total).from(wheelPairs).where(isOldPair(read, fromDay));
  const [open] = await read
    .select(total)
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), lt(rounds.day, fromDay)));
  const hidden = await hiddenDays(read, fromDay);
  return [
    { what: "pairs of the wheel", count: pairs!.total },
    { what: "rounds", count: open!.total },
    { what: "days of gaps", count: hidden },
  ];
}

/** Days of gaps, before a day, whose last seed was not shown: `shown-places.ts` shows them. */
async function hiddenDays(read: Tx, before: number): Promise<number> {
  const [first, last] = [
    gaps.fromDay,
    sql`case when ${gaps.toDay} < ${before} then ${gaps.toDay} else ${before - 1} end`,
  ];
  const { day, number, seed } = shownPlaces;
  const lastOf = sql`case when ${day} = ${gaps.toDay} then ${gaps.toNumber} else 86400 / ${games.periodS} end`;
  const isShown = sql`(${number} > ${lastOf} or ${seed} is not null and ${number} = ${lastOf})`;
  const shown = sql`(select count(*) from ${shownPlaces} where ${shownPlaces.gameId} = ${gaps.gameId}
    and ${day} between ${first} and (${last}) and ${isShown})`;
  const [hidden] = await read
    .select({ days: sql<number>`coalesce(sum((${last}) - ${first} + 1 - ${shown}), 0)`.mapWith(Number) })
    .from(gaps)
    .innerJoin(games, eq(games.id, gaps.gameId))
    .where(and(isNull(gaps.takenBackAt), lt(first, before)));
  return hidden!.days;
}
