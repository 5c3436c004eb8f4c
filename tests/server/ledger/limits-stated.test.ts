import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitChanges } from "#db/schema/limits.ts";
import { excludeMember, readLeft } from "#server/domains/ledger/limits.ts";
import { parseChained } from "#shared/log/salted.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const set = (fields: Record<string, string>) => mia.call("/member/limits", fields);

/** What the log says of the member's limits so far. */
async function stated() {
  const { data } = await mia.call("/fair/mine", { from: "1" }, { method: "GET" });
  const said = data.leaves.map(({ content }) => parseChained(content)!);
  return said.flatMap((one) => (one.kind === "limit" ? [[one.limit, one.value, one.from, one.at]] : []));
}

describe("the log says of a limit", () => {
  it("each change, from when it applies, and nothing of a wish that changes nothing", async () => {
    const said: unknown[] = [];
    /** Sets the day's stakes, after which the log says so too, or nothing without `from`. */
    async function wish(value: string, from?: number): Promise<void> {
      w.pass(HOUR_MS);
      await set({ stake_day: value });
      if (from !== undefined)
        said.push(["stake_day", value === "" ? "none" : Number(value) * 100, w.now() + from, w.now()]);
      expect(await stated()).toEqual(said);
    }
    await wish("100", 0);
    await wish("100");
    await wish("60", 0);
    await wish("200", DAY_MS);
    await wish("200");
    await wish("300", DAY_MS);
    // What was to come is called off.
    await wish("60", 0);
    await wish("60");
    await wish("", DAY_MS);
    await wish("50", 0);
  });
});

it("the log says of an exclusion until when it lasts, and from when on", async () => {
  const until = w.now() + 7 * DAY_MS;
  await w.deps.db.transact((tx) => excludeMember(tx, mia.memberId, until, w.now()));
  expect(await stated()).toEqual([["exclude_until", until, w.now(), w.now()]]);
});

it("waiting limits are shown in the order in which they apply, and by name where that is one moment", async () => {
  await set({ stake_day: "100", loss_week: "100", recharge_day: "100" });
  await set({ stake_day: "200", recharge_day: "200" });
  w.pass(HOUR_MS);
  await set({ loss_week: "200" });
  const { data } = await mia.call("/member/limits");
  expect(data.pending.map(({ name }) => name)).toEqual(["recharge_day", "stake_day", "loss_week"]);
});

it("a wish that is called off leaves the others waiting", async () => {
  await set({ stake_day: "100", loss_week: "100" });
  await set({ stake_day: "200", loss_week: "200" });
  const { data } = await set({ stake_day: "100" });
  expect(data.pending.map(({ name }) => name)).toEqual(["loss_week"]);
});

it("what applies at once, or changes nothing, waits for nothing", async () => {
  const waiting = () => w.deps.db.read.select().from(limitChanges);
  await set({ stake_day: "" });
  expect(await waiting()).toEqual([]);
  await set({ stake_day: "100" });
  await set({ stake_day: "60" });
  expect(await waiting()).toEqual([]);
});

it("nobody without a wallet has limits", async () => {
  await expect(readLeft(w.deps.db.read, 999, w.now())).rejects.toThrow("member 999 has no wallet");
});
