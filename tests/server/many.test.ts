import { asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { areOneOf, insertOf, insertRows, isOneOf, isOneOfNamed, listed, together } from "#db/many.ts";
import { prepared } from "#db/prepared.ts";
import { outbox, prizes, replays, settings } from "#db/schema/index.ts";
import { world, type World } from "../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const text = (words: string) => ({ en_us: words });
const prize = (id: string) => ({
  id,
  title: text(`"Ti\u0000tle" ${id} 🎡`),
  memo: text(`<p>${id}</p>`),
  image: "/prizes/x.svg",
  kind: "points" as const,
  amount: 9_000_000_000_000_000,
  weight: 1,
  position: 1,
});

describe("an insert of many rows", () => {
  it("stores what one of each would store", async () => {
    const rows = [prize("a"), { ...prize("b"), stock: 3, offered: false }, { ...prize("c d"), stock: null }];
    const stored = await w.deps.db.transact(async (tx) => {
      await insertRows(tx, prizes, rows);
      const many = await tx.select().from(prizes).orderBy(asc(prizes.id));
      await tx.delete(prizes);
      for (const row of rows) await tx.insert(prizes).values(row);
      expect(many).toEqual(await tx.select().from(prizes).orderBy(asc(prizes.id)));
      return many;
    });
    expect(stored.map(({ stock, offered }) => [stock, offered])).toEqual([
      [null, true],
      [3, false],
      [null, true],
    ]);
  });

  it("numbers rows in their order, and takes what all share from SQL", async () => {
    const rows = ["first", "second"].map((name) => ({ payload: { name }, createdAt: 1 }));
    const made = await w.deps.db.transact((tx) =>
      insertRows(tx, outbox, rows, { topic: sql`'test.' || 'topic'` }).returning(),
    );
    expect(made.map(({ topic, payload }) => [topic, payload])).toEqual([
      ["test.topic", { name: "first" }],
      ["test.topic", { name: "second" }],
    ]);
    expect(made[1]!.id).toBeGreaterThan(made[0]!.id);
  });

  it("may meet rows that are there", async () => {
    const [known, fresh] = [
      { name: "many.known", value: 1 },
      { name: "many.fresh", value: 2 },
    ];
    await w.deps.db.transact(async (tx) => {
      await insertRows(tx, settings, [known]);
      await insertRows(tx, settings, [{ ...known, value: 3 }, fresh]).onConflictDoUpdate({
        target: settings.name,
        set: { value: sql`excluded.value` },
      });
      const found = await tx
        .select()
        .from(settings)
        .where(isOneOf(settings.name, ["many.known", "many.fresh", "many.none"]))
        .orderBy(asc(settings.name));
      expect(found).toEqual([fresh, { ...known, value: 3 }]);
      expect(await tx.select().from(settings).where(isOneOf(settings.name, []))).toEqual([]);
    });
  });
});

describe("a statement of many values that is built once", () => {
  const add = insertOf(
    settings,
    (insert) =>
      insert
        .onConflictDoUpdate({ target: settings.name, set: { value: sql`excluded.value` } })
        .returning({ name: settings.name, value: settings.value }),
    { value: sql`'4'` },
  );
  const named = prepared((read) =>
    read
      .select({ name: settings.name })
      .from(settings)
      .where(isOneOfNamed(settings.name, "names"))
      .orderBy(asc(settings.name))
      .prepare(),
  );
  const find = (names: string[]) => named(w.deps.db.read).execute({ names: listed(names) });

  it("inserts other rows each time", async () => {
    const { db } = w.deps;
    expect(await db.transact((tx) => add(tx, [{ name: "many.one" }]))).toEqual([{ name: "many.one", value: 4 }]);
    const made = await db.transact((tx) => add(tx, [{ name: "many.one" }, { name: 'many."two"' }]));
    expect(made).toEqual([
      { name: "many.one", value: 4 },
      { name: 'many."two"', value: 4 },
    ]);
  });

  it("finds others each time", async () => {
    const names = ['many."two", {3}', "many.'one'"];
    await w.deps.db.transact((tx) =>
      add(
        tx,
        names.map((name) => ({ name })),
      ),
    );
    expect(await find(names)).toEqual(names.map((name) => ({ name })));
    expect(await find([names[1]!, "many.none"])).toEqual([{ name: names[1] }]);
    expect(await find([])).toEqual([]);
  });
});

it("rows are found by several columns together", async () => {
  const { db } = w.deps;
  const row = { requestHash: "", answer: "", createdAt: 1 };
  const keys = [
    [1, "/a", "k"],
    [1, "/b", "7"],
    [2, "/a", "7"],
  ] as const;
  const rows = keys.map(([memberId, path, key]) => ({ ...row, memberId, path, key }));
  await db.transact((tx) => insertRows(tx, replays, rows));
  const { memberId, path, key } = replays;
  const find = (wanted: (readonly (string | number)[])[]) =>
    db.read
      .select({ memberId, path, key })
      .from(replays)
      .where(areOneOf([memberId, path, key], wanted))
      .orderBy(asc(memberId));
  const [first, , third] = keys;
  const found = await find([first, third, [1, "/a", "7"], [2, "/b", "k"]]);
  expect(found.map((one) => Object.values(one))).toEqual([first, third]);
  expect(await find([])).toEqual([]);
});

it("works together are done in their order, on every engine", async () => {
  const found = await w.deps.db.transact((tx) =>
    together(
      () => tx.insert(settings).values({ name: "many.one", value: 1 }).returning(),
      () => tx.select().from(settings).where(eq(settings.name, "many.one")),
    ),
  );
  expect(found).toEqual([[{ name: "many.one", value: 1 }], [{ name: "many.one", value: 1 }]]);
});
