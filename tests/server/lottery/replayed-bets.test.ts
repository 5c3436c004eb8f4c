import { afterEach, beforeEach, expect, it } from "vitest";
import { MINUTE_MS } from "#shared/time.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { twoGames } from "./two-games.ts";

const ROUND = "20260302-0002";
let w: World;
let mia: Player;

/** The second rounds of two games are open. */
beforeEach(async () => {
  w = await twoGames();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await w.live(MINUTE_MS);
});
afterEach(() => w.close());

const place = (key: string, money = "10") =>
  mia.call("/game/placeOrder", { item: "A", money, lid: "lot_1", mid: "", expect: ROUND }, { key });

it("a bet is answered again as it was while nobody may play, while its round is open and once it is settled", async () => {
  const taken = await place("one");
  expect(taken).toMatchObject({ code: 200, data: { expect: ROUND, total: "10.00", balance: "990.00" } });
  await set(w, "isplay", "0");
  for (const _ of ["open", "settled"]) {
    expect(await place("one")).toMatchObject({ code: 200, data: taken.data });
    expect((await place("one", "20")).code).not.toBe(200);
    expect(await place("two")).toMatchObject({ code: 403, data: { reason: "feature.off" } });
    await w.live(MINUTE_MS);
  }
});
