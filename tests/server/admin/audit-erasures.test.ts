import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import * as t from "#db/schema/index.ts";
import { Erasures } from "#server/admin/audit/erasures.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { ROWS_THAT_GO } from "#server/admin/erase/personal.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, person, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const AT = 500;
type Said = Parameters<Erasures["note"]>[1];
const leaf = (more: Partial<Said> = {}): Said => ({
  kind: "erasure",
  member: "1",
  number: 1,
  before: "",
  version: 3,
  at: AT,
  ...more,
});

/** What is said of these rows where the log states these erasures. */
const problemsOf = (said: [number, Said][], write: (tx: Tx) => Promise<unknown>) =>
  rows.problemsOf(async (read, found) => {
    const erasures = await Erasures.read(read, found);
    for (const [memberId, content] of said) erasures.note(memberId, content);
    await erasures.finish();
  }, write);

const gone = (id: number) => person(id, { username: `erased ${id}` });
const erased = (memberId: number) => ({ memberId, mark: "", reason: "", erasedAt: AT });

/** Member 1 as an erasure leaves them, and member 2 as they are. */
async function write(tx: Tx, wallet: Partial<typeof t.wallets.$inferInsert> = {}): Promise<void> {
  await add(tx, t.members, gone(1), person(2, { passwordHash: "hash", realName: "Nils", payPinHash: "pin" }));
  await add(tx, t.erasedMembers, erased(1));
  await add(tx, t.wallets, { memberId: 1, version: 3, frozen: true, ...wallet }, { memberId: 2, balance: 5 });
}
const withRows = (more: (tx: Tx) => Promise<unknown>) =>
  problemsOf([[1, leaf()]], async (tx) => {
    await write(tx);
    await more(tx);
  });

const session = (id: number, memberId: number, more: Partial<typeof t.sessions.$inferInsert> = {}) => ({
  id,
  memberId,
  tokenHash: `${id}`,
  createdAt: 1,
  lastSeenAt: 1,
  ip: "",
  agent: "",
  ...more,
});
const pair = (id: number, memberId: number, words: string | null) => ({
  id,
  memberId,
  number: id,
  commit: "",
  words,
  createdAt: 1,
  revealedAt: 1,
});

describe("the audit of erasures", () => {
  it("finds no problem in one that left nothing, beside a member who has everything", async () => {
    const problems = await withRows(async (tx) => {
      const seen = { ip: "127.0.0.1", agent: "test", ssoHash: "hash" };
      await add(tx, t.sessions, session(1, 1), session(2, 2, seen));
      await add(tx, t.wheelPairs, pair(1, 1, ""), pair(2, 1, null), pair(3, 2, "words"));
      await add(tx, t.memberSalts, { memberId: 2, salt: "salt" });
      await add(tx, t.uploads, { memberId: 2, path: "path", createdAt: 1 });
      await add(tx, t.journalIndex, { memberId: 2, version: 1, kind: "bet", rowId: 4 });
    });
    expect(problems).toEqual([]);
  });

  it("compares it with the log, both ways", async () => {
    const silent = "member 1 was erased, and the log does not say so";
    expect(await problemsOf([], write)).toEqual([silent]);
    expect(await problemsOf([[1, leaf({ at: AT + 1 })]], write)).toEqual([silent]);
    const other: [number, Said][] = [
      [1, leaf()],
      [2, leaf()],
    ];
    expect(await problemsOf(other, write)).toEqual(["the log says that member 2 was erased, the tables do not"]);
  });

  it("names who lost their name without an erasure", async () => {
    const problems = await problemsOf([[1, leaf()]], async (tx) => {
      await write(tx);
      await add(tx, t.members, gone(3), person(4, { username: "erased 3." }), gone(5));
    });
    expect(problems).toEqual([3, 5].map((id) => `member ${id} lost their name without an erasure`));
  });

  it("asks many members, each once", async () => {
    const username = `case when ${AT_BORDER} then 'erased ' else 'member_' end || i`;
    const problems = await problemsOf([], () =>
      addMany(rows, "members", { id: "i", username, avatar: "''", created_at: "1" }),
    );
    expect(problems).toEqual(BORDERS.map((id) => `member ${id} lost their name without an erasure`));
  });

  it("says whose erasures there are", async () => {
    const isErased = await rows.during(write, async (read) => {
      const { has } = await Erasures.read(read, new Findings());
      return [has(1), has(2)];
    });
    expect(isErased).toEqual([true, false]);
  });
});

describe("the audit of an erased member's wallet", () => {
  const change = (now: number, balance: number) =>
    `member 1 was erased at change 3 of the wallet, which has ${now} and holds ${balance}`;
  it.each<[string, Partial<typeof t.wallets.$inferInsert>, string[]]>([
    ["finds it locked and empty", {}, []],
    ["names one that is not locked", { frozen: false }, ["member 1 was erased, and is not locked"]],
    ["names one that holds something", { balance: 1 }, [change(3, 1)]],
    ["names one that owes something", { balance: -1 }, [change(3, -1)]],
    ["names one that changed since", { version: 4 }, [change(4, 0)]],
    ["names one that changed less", { version: 2 }, [change(2, 0)]],
  ])("%s", async (_, wallet, problems) => {
    expect(await problemsOf([[1, leaf()]], (tx) => write(tx, wallet))).toEqual(problems);
  });

  it("leaves one that is not there to who counts them", async () => {
    const problems = await problemsOf([[1, leaf()]], async (tx) => {
      await add(tx, t.members, gone(1));
      await add(tx, t.erasedMembers, erased(1));
    });
    expect(problems).toEqual([]);
  });
});

describe("the audit names what is left of an erased member:", () => {
  it.each<[string, Partial<typeof t.members.$inferInsert>]>([
    ["a name", { username: "mia_1" }],
    ["a password", { passwordHash: "hash" }],
    ["a real name", { realName: "Mia" }],
    ["a passcode", { payPinHash: "pin" }],
  ])("%s", async (_, left) => {
    const problems = await problemsOf([[1, leaf()]], async (tx) => {
      await add(tx, t.members, { ...gone(1), ...left });
      await add(tx, t.erasedMembers, erased(1));
    });
    expect(problems).toEqual(["member 1 was erased, and is still in members"]);
  });

  it.each([{ ip: "127.0.0.1" }, { agent: "test" }, { ssoHash: "hash" }])("a session with %o", async (left) => {
    expect(await withRows((tx) => add(tx, t.sessions, session(1, 1, left)))).toEqual([
      "member 1 was erased, and is still in sessions",
    ]);
  });

  it("words of the wheel, and rows of several tables", async () => {
    const problems = await withRows(async (tx) => {
      await add(tx, t.wheelPairs, pair(1, 1, "words"));
      await add(tx, t.uploads, { memberId: 1, path: "path", createdAt: 1 });
      await add(tx, t.memberSalts, { memberId: 1, salt: "salt" });
    });
    expect(problems).toEqual(["member 1 was erased, and is still in wheel_pairs, member_salts, uploads"]);
  });

  it.each(ROWS_THAT_GO.map((table) => [getTableName(table), table] as const))("a row of %s", async (name, table) => {
    const values = { memberId: 1, counter: 7, boolean: true, number: 7 } as Record<string, unknown>;
    const columns = Object.entries(getTableColumns(table));
    const row = Object.fromEntries(columns.map(([key, { dataType }]) => [key, values[key] ?? values[dataType] ?? "x"]));
    expect(await withRows((tx) => add(tx, table, row as never))).toEqual([
      `member 1 was erased, and is still in ${name}`,
    ]);
  });
});

describe("the audit counts an erased member's bets and payouts without a salt:", () => {
  const entry = (version: number, kind: "bet" | "payout" | "transfer", rowId: number, memberId = 1) => ({
    memberId,
    version,
    kind,
    rowId,
  });
  const kept = (name: string, memberId = 1) => ({ memberId, name, salt: "salt" });
  const unsalted = (count: number) => [`member 1 was erased, and no salt was kept of ${count} bets and payouts`];

  it("none where each has its own", async () => {
    const problems = await withRows(async (tx) => {
      await add(tx, t.journalIndex, entry(1, "transfer", 1), entry(2, "bet", 4), entry(3, "payout", 4));
      await add(tx, t.keptSalts, kept("bet 4"), kept("payout 4"));
    });
    expect(problems).toEqual([]);
  });

  it("those that have none, or another's", async () => {
    const entries = [entry(1, "bet", 4), entry(2, "bet", 5), entry(3, "payout", 4), entry(4, "payout", 6)];
    const of = (...salts: ReturnType<typeof kept>[]) =>
      withRows(async (tx) => {
        await add(tx, t.journalIndex, ...entries);
        await add(tx, t.keptSalts, kept("bet 9"), ...salts);
      });
    expect(await of()).toEqual(unsalted(4));
    expect(await of(kept("bet 4"), kept("payout 4"), kept("payout 6"))).toEqual(unsalted(1));
    expect(await of(kept("bet 4"), kept("bet 5"), kept("payout 4"), kept("payout 6", 2))).toEqual(unsalted(1));
  });
});
