import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#db/schema/index.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { fromUnits } from "#shared/money.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet, roundNow } from "../../support/ledger.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";

export interface Furnished {
  w: World;
  mia: Player;
}

export const PASSWORD = "correct horse";

/** A site on which every endpoint has something to say: drawn and skipped rounds, bets, a top-up, a notice, a plan. */
export async function furnishedWorld(env: Record<string, string> = {}): Promise<Furnished> {
  const w = await world({ env });
  await w.game();
  await w.invite("WELCOME");
  await w.call("/member/doRegister", { username: "nora_1", password: PASSWORD, code: "WELCOME" });
  const mia = await w.player("mia_1", { balance: 1_000_000 });
  await w.deps.db.transact(async (tx) => {
    const plan = { id: "plan_30", name: { en_us: "A month", vn_vn: "Một tháng" }, days: 30, price: fromUnits(10) };
    await tx.insert(schema.plans).values({ ...plan, position: 1 });
    await tx.insert(schema.banners).values({ url: "/media/banner.svg", link: "/Choose", position: 1 });
    await addNotice(tx, w.deps, "Welcome", "The doors are open");
  });
  await w.live(1_000);
  await bet(w, mia, 5, "A,7");
  await w.live(MINUTE_MS);
  await w.live(5 * MINUTE_MS);
  await topUp(w, mia, 20);
  await mia.call("/member/limits", { stake_month: "500000" });
  await mia.call("/member/limits", { stake_month: "600000" });
  return { w, mia };
}

/** Input that each endpoint says yes to, by path; those that take none need no line. */
export const goodInput = (w: World): Record<string, Record<string, string>> => ({
  "/Lottery/getLotteryInfo": { key: "k3-1m" },
  "/Lottery/getLotteryOneList": { key: "k3-1m" },
  "/Lottery/getLotteryPeilv": { id: "lot_1" },
  "/game/placeOrder": { item: "A,7", money: "10", lid: "lot_1", mid: "", expect: roundNow(w) },
  "/fair/round": { key: "k3-1m", expect: "20260302-0001" },
  "/fair/anchors": { key: "k3-1m" },
  "/fair/gaps": { key: "k3-1m" },
  "/member/doRegister": { username: "olga_1", password: PASSWORD, code: "WELCOME", lang: "en_us" },
  "/member/doLogin": { username: "nora_1", password: PASSWORD, lang: "en_us" },
  "/member/doRecharge": { pay_way: "sandbox", money: "10", bank_type: "" },
  "/member/buyPlan": { id: "plan_30" },
  "/member/limits": { stake_day: "400000", remind_minutes: "30" },
});

/** Every row of every table but those named. */
export async function everything({ deps }: World, except: readonly string[] = []): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const [name, table] of Object.entries(schema)) {
    if (is(table, SQLiteTable) && !except.includes(name)) rows[name] = await deps.db.read.select().from(table);
  }
  return rows;
}
