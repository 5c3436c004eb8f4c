import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPostgres } from "#db/dialect.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { readConfig } from "#server/config/config.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { dayOf } from "#shared/time.ts";
import { call } from "../../support/call.ts";
import { give } from "../../support/credentials.ts";
import type { Player, World } from "../../support/world.ts";
import { bind, DAY_START, NUMBER, ONE, owner, PIN, RING, ringWorld, until, withKeys } from "../keys/ring-world.ts";
import { ask, layGround, move, type Ground } from "./ground.ts";

const NEWER = "19036624875999";
let ground: Ground;
let w: World;
let mia: Player;
let eva: Player;
/** The other engine's address. */
let there: string;
let to: string;

beforeAll(async () => {
  ground = await layGround();
  w = await ringWorld();
  mia = await owner(w, "mia_1");
  eva = await w.player("eva_1");
  await withKeys(w, RING);
  await until(w, DAY_START + 1_000);
  await give(w, eva.memberId, { pin: PIN });
  await bind(w, eva, NEWER);
  await w.site.close();
  const [file, database] = [ground.newFile(), await ground.newDatabase()];
  [there, to] = isPostgres(w.config.database) ? [file, await ground.newDatabase()] : [database, file];
});
afterAll(async () => {
  rmSync(w.folder, { recursive: true });
  await ground.clear(w.config.database);
});

function opened(masterKey: string): Promise<Site> {
  const folder = isPostgres(to) ? ground.folder : dirname(to);
  const database = isPostgres(to) ? { DATABASE_URL: to } : {};
  const config = readConfig({ DATA_DIR: folder, PORT: "0", MASTER_KEY: masterKey, ...database }, []);
  const buffer = new SharedArrayBuffer(8);
  new Float64Array(buffer)[0] = w.now();
  return openSite(config, { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) });
}

describe("a site moved after the day of another master key", () => {
  it("keeps the numbers and days of its keys, and what is sealed under each", async () => {
    expect(await move([w.config.database, there])).toMatchObject({ exit: 0, err: "" });
    expect(await move([there, to])).toMatchObject({ exit: 0, err: "" });
    const keys = await ask<Record<"id" | "from_day", number | string>>(
      to,
      "select id, from_day from master_keys order by id",
    );
    expect(keys.map(({ id, from_day }) => [Number(id), Number(from_day)])).toEqual([
      [1, 0],
      [2, dayOf(DAY_START)],
    ]);
    const site = await opened(RING);
    try {
      const sealed = await site.deps.db.read.select().from(bankAccounts).orderBy(bankAccounts.memberId);
      expect(sealed.map((one) => openNumber(site.deps, one.memberId, one.sealed))).toEqual([NUMBER, NEWER]);
      const { code, data } = await call(site.app, "/member/doLogin", {
        username: "mia_1",
        password: "a-long-pass-word",
      });
      expect([code, data.token]).toEqual([200, expect.any(String)]);
    } finally {
      await site.close();
    }
    expect(mia.memberId).toBeLessThan(eva.memberId);
  });

  it("does not start without the key in force", async () => {
    await expect(opened(ONE)).rejects.toThrow("MASTER_KEY lacks");
  });
});
