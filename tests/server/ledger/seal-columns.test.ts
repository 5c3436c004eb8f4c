import { getTableColumns, type Column, type Table } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as columns from "#db/columns.ts";
import { bets, houseEntries, payouts, transfers } from "#db/schema/index.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditSeals } from "#server/admin/audit/seals.ts";
import { SEALED, SealedTable } from "#server/domains/ledger/seal-leaves.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { ENGINE } from "../../support/databases.ts";
import { bet } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

const TABLES = { house: houseEntries, bet: bets, payout: payouts, transfer: transfers };
const NAMES = { house: "house_entries", bet: "bets", payout: "payouts", transfer: "transfers" };
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

let w: World;
let connection: OwnConnection;

/** A member, a certain win, and its payout: rows of all four tables. */
beforeEach(async () => {
  w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await bet(w, mia, 10, "A,B");
  await w.live(60_000);
  connection = await openConnection(w.config.database);
});
afterEach(async () => {
  await connection.close();
  await w.close();
});

async function problems(): Promise<string[]> {
  const found = new Findings();
  await w.deps.db.snapshot((read) => auditSeals(read, found));
  return found.problems;
}

/** Another value of the column's type, as SQL. */
function other(name: string, { dataType }: Column): string {
  if (name === "kind") return "case kind when 'bets' then 'payouts' else 'bets' end";
  return dataType === "string" ? `coalesce(${snake(name)}, '') || 'x'` : `coalesce(${snake(name)}, 0) + 1`;
}

/** The newest row of each table. */
const NEWEST = {
  house: "id = (select max(id) from house_entries)",
  bet: "id = (select max(id) from bets)",
  payout: "member_id = (select max(member_id) from payouts)",
  transfer: "id = (select max(id) from transfers)",
};

describe("a sealed row", () => {
  it.each(["house", "bet", "payout", "transfer"] as const)(
    "of a %s cannot be changed in any column without the audit seeing it",
    async (kind) => {
      await w.site.housekeeping.seal();
      expect(await problems()).toEqual([]);
      await unguard(connection);
      await connection.run(`create table untouched as select * from ${NAMES[kind]}`);
      const unseen: string[] = [];
      for (const [name, column] of Object.entries(getTableColumns(TABLES[kind] as Table))) {
        const edit = `update ${NAMES[kind]} set ${snake(name)} = ${other(name, column)} where ${NEWEST[kind]} returning 1`;
        const edited = await connection.all(edit);
        if (edited.length !== 1 || (await problems()).length === 0) unseen.push(name);
        await connection.run(`delete from ${NAMES[kind]}`);
        await connection.run(`insert into ${NAMES[kind]} select * from untouched`);
      }
      expect([unseen, await problems()]).toEqual([[], []]);
    },
  );
});

const { at, bool, int, money, ref, rowId, sql, table, text, wide } = columns;
const was = () => ({
  id: rowId(),
  code: text().notNull(),
  cause: text().notNull(),
  debit: text().notNull(),
  credit: text().notNull(),
  amount: money().notNull(),
  memberId: ref(),
});
const FIRST = [...Object.keys(was()), "version", "balanceAfter", "reason", "createdAt"];
/** The transfers table of a later release, with new columns among the old ones. */
const grown = table("grown", {
  ...was(),
  viaChannel: text(),
  isGift: bool(),
  version: int(),
  balanceAfter: money(),
  reason: text(),
  weight: wide(),
  createdAt: at().notNull(),
});
const GROWN = new SealedTable("transfer", grown, FIRST);

/** The leaf of the first transfer, as sealing reads it and as the audit does. */
async function leaves(): Promise<[sealing: string, audit: string]> {
  const [raw] = await connection.all<object>(`select ${GROWN.sql} from grown where id = 1`);
  const [row] = await w.deps.db.read
    .select()
    .from(grown)
    .where(sql`id = 1`);
  return [GROWN.leafOfValues(Object.values(raw!)), GROWN.leaf(row!)];
}

describe("a column that a sealed table gets later", () => {
  beforeEach(async () => {
    await connection.run("create table grown as select * from transfers");
    const [row] = await w.deps.db.read
      .select()
      .from(transfers)
      .where(sql`id = 1`);
    sealed = SEALED.transfer.leaf(row!);
    for (const column of [
      "via_channel text",
      `is_gift ${ENGINE === "sqlite" ? "integer" : "boolean"}`,
      "weight bigint",
    ])
      await connection.run(`alter table grown add column ${column}`);
  });
  let sealed: string;

  it("leaves the leaves of older rows as they were sealed", async () => {
    expect(await leaves()).toEqual([sealed, sealed]);
  });

  it("is in the leaf of every row that has a value in it, read the same by either engine", async () => {
    await connection.run("update grown set via_channel = 'visa', is_gift = true, weight = 5 where id = 1");
    const leaf = sealed
      .replace('"transfer"', '"transfer 2"')
      .replace(/\]$/, ',{"isGift":true,"viaChannel":"visa","weight":5}]');
    expect(await leaves()).toEqual([leaf, leaf]);
  });

  it("changes an older row's leaf when a value is written into it", async () => {
    for (const change of ["via_channel = ''", "is_gift = false", "weight = 0"]) {
      await connection.run("update grown set via_channel = null, is_gift = null, weight = null");
      await connection.run(`update grown set ${change} where id = 1`);
      for (const leaf of await leaves()) expect(leaf).not.toBe(sealed);
    }
  });

  it("is refused when older rows would get a value in it", () => {
    const withDefault = table("payouts", { amount: money().notNull(), bonus: money().default(0) });
    const needed = table("payouts", { amount: money().notNull(), bonus: money().notNull() });
    for (const wrong of [withDefault, needed])
      expect(() => new SealedTable("payout", wrong, ["amount"])).toThrow(/^payout: bonus was added to a sealed table/);
  });

  it("keeps its name for ever: no listed column is renamed or dropped", () => {
    const later = Object.fromEntries(Object.entries(SEALED).map(([kind, one]) => [kind, one.later]));
    expect(later).toEqual({ house: [], bet: [], payout: [], transfer: [], act: [] });
  });
});
