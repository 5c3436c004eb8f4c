import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPostgres } from "#db/dialect.ts";
import { readConfig } from "#server/config/config.ts";
import { openSite } from "#server/app/site.ts";
import { call } from "../../support/call.ts";
import type { Player, World } from "../../support/world.ts";
import { furnishedWorld } from "../http/furnished.ts";
import { ask, contentsOf, layGround, metaOf, move, type Ground, type Ran } from "./ground.ts";

/** PostgreSQL returns large numbers as texts, unless told otherwise. */
type Last = Record<"event" | "transfer", number | string>;

let ground: Ground;
let w: World;
let mia: Player;
let from: string;
/** The other engine's address. */
let there: string;
let back: string;
let early: Ran;
let went: Ran;
let came: Ran;
let before: string | Record<string, string[]>;

/** The file itself, or the database's rows. */
const wholeOf = (address: string) => (isPostgres(address) ? contentsOf(address) : readFileSync(address, "latin1"));

beforeAll(async () => {
  ground = await layGround();
  ({ w, mia } = await furnishedWorld());
  await w.site.housekeeping.seal();
  from = w.config.database;
  early = await move([from, isPostgres(from) ? ground.newFile() : await ground.newDatabase()]);
  await w.site.close();
  // The newest row is gone, and its number is not reused.
  await ask(from, "delete from outbox where id > 5");
  before = await wholeOf(from);
  const [file, database] = [ground.newFile(), await ground.newDatabase()];
  [there, back] = isPostgres(from) ? [file, await ground.newDatabase()] : [database, file];
  went = await move([from, there]);
  // With either engine in the operator's environment.
  came = await move([there, back], { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", DATA_DIR: ground.folder });
});
afterAll(async () => {
  rmSync(w.folder, { recursive: true });
  await ground.clear(w.config.database);
});

describe("a site moved to the other engine and back", () => {
  it("does not move while a server is open on it, though that changes nothing", () => {
    expect([early.exit, early.out]).toEqual([1, ""]);
    expect(early.err).toContain("A server is running on ");
    expect(early.err).toContain("stop it, then move again");
  });

  it("is complete and checked, and the operator is told what to copy by hand", () => {
    expect([went.err, came.err]).toEqual(["", ""]);
    expect([went.exit, came.exit]).toEqual([0, 0]);
    expect(went.out).toMatch(/^Moved \d+ rows of \d+ tables /);
    expect(went.out).toContain("the master key");
    expect(went.out).toContain("pictures and videos");
  });

  it("has the same rows, under its own epoch", async () => {
    const rows = await contentsOf(from);
    expect(Object.keys(rows).filter((name) => rows[name]!.length > 0).length).toBeGreaterThan(35);
    expect(await contentsOf(back)).toEqual(rows);
    const metas = await Promise.all([from, there, back].map(metaOf));
    expect(new Set(metas.map(({ epoch }) => epoch)).size).toBe(3);
    for (const { epoch, ...rest } of metas)
      expect([epoch, rest]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), {}]);
  });

  it("leaves the source as it was, to the byte", async () => {
    expect(await wholeOf(from)).toEqual(before);
  });

  it("is readable by the owner alone where it is a file", () => {
    const file = isPostgres(there) ? back : there;
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("keeps its guards", async () => {
    for (const place of [there, back]) {
      await expect(ask(place, "update bets set stake = 1")).rejects.toThrow("bets are never changed");
      const roundId = "(select id from rounds where closed_at is not null limit 1)";
      const bet = `insert into bets (member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
        values (1, ${roundId}, 1, 1, 1, 1, 1, 1, 1)`;
      await expect(ask(place, bet)).rejects.toThrow("the round is closed for good");
    }
  });

  it("numbers new rows above all that ever were", async () => {
    const LAST = "select (select max(id) from outbox) as event, (select max(id) from transfers) as transfer";
    const before = (await ask<Last>(back, LAST))[0]!;
    for (const place of [there, back]) {
      await ask(place, "insert into outbox (topic, payload, created_at) values ('test', '{}', 1)");
      const transfer = "insert into transfers (code, cause, debit, credit, amount, created_at)";
      await ask(place, `${transfer} values ('a', 'b', 'c', 'd', 1, 1)`);
      const after = (await ask<Last>(place, LAST))[0]!;
      expect(Number(before.event)).toBe(5);
      expect(Number(after.event)).toBeGreaterThan(20);
      expect(Number(after.transfer)).toBe(Number(before.transfer) + 1);
    }
  });

  it("is served with the same key, and its members stay logged in", async () => {
    const folder = isPostgres(back) ? ground.folder : dirname(back);
    copyFileSync(join(w.folder, "master.key"), join(folder, "master.key"));
    const database = isPostgres(back) ? { DATABASE_URL: back } : {};
    const config = readConfig({ DATA_DIR: folder, PORT: "0", ...database }, []);
    const buffer = new SharedArrayBuffer(8);
    new Float64Array(buffer)[0] = w.now();
    const site = await openSite(config, { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) });
    try {
      const { code, data } = await call(site.app, "/member/getUserInfo", undefined, {
        token: mia.token,
        method: "GET",
      });
      expect([code, data.username]).toEqual([200, "mia_1"]);
    } finally {
      await site.close();
    }
  });
});
