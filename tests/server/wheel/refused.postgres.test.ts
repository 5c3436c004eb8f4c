import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { wallets } from "#db/schema/ledger.ts";
import { set } from "../../support/operator.ts";
import { closeAudited, points, spin, wheelWorld } from "./wheel-world.ts";

it("refused and repeated spins commit nothing, though they locked wallets", async () => {
  const w = await wheelWorld(points("one", 100), points("two", 100));
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", "10");
  const rich = await w.player("mia_1", { balance: 10 });
  const poor = await Promise.all(["mia_2", "mia_3"].map((name) => w.player(name, { balance: 5 })));
  const spinAll = () => Promise.all([spin(rich, "tap"), ...poor.map((player) => spin(player))]);
  await spinAll();
  /** Which transaction wrote each wallet last. */
  const writers = () =>
    w.deps.db.read
      .select({ member: wallets.memberId, writer: sql<string>`xmin::text` })
      .from(wallets)
      .orderBy(wallets.memberId);
  const before = await writers();
  expect((await spinAll()).map(({ code, reason }) => reason ?? code)).toEqual([
    200,
    "balance.insufficient",
    "balance.insufficient",
  ]);
  expect(await writers()).toEqual(before);
  await closeAudited(w);
});
