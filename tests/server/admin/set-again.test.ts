import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEMO_PRIZES } from "#db/demo/prizes.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());

const fileOf = (list: unknown) => {
  const file = join(w.folder, "list.json");
  writeFileSync(file, JSON.stringify(list));
  return file;
};

it("what plan:list prints with --json, plan:set takes, and nothing changes", async () => {
  expect((await operate(w, "plan:list")).out).toBe("No plans are on sale.\n");
  const plans = [
    { id: "plan_30", name: { en_us: "A month", ko_kr: "한 달" }, days: 30, price: 100 },
    { id: "plan_7", name: "A week", days: 7, price: 30 },
  ];
  await ask(w, "plan:set", fileOf([{ id: "old", name: "Old", days: 1, price: 1 }]));
  await ask(w, "plan:set", fileOf(plans));
  const listed = await ask(w, "plan:list");
  expect(listed).toEqual(plans);
  const before = await everything(w);
  await ask(w, "plan:set", fileOf(listed));
  expect(await everything(w)).toEqual(before);
  expect((await operate(w, "plan:list")).out).toBe("plan_30  30 days  100  A month\nplan_7  7 days  30  A week\n");
});

it("what prize:list prints with --json, prize:set takes, and the wheel stays as it was", async () => {
  expect((await operate(w, "prize:list")).out).toBe("The wheel has no prizes.\n");
  await w.deps.db.transact((tx) => setPrizes(tx, w.deps, DEMO_PRIZES));
  const listed = await ask<{ id: string }[]>(w, "prize:list");
  expect(listed.map(({ id }) => id)).toEqual(DEMO_PRIZES.map(({ id }) => id));
  await ask(w, "prize:set", fileOf(listed));
  expect(await ask(w, "prize:list")).toEqual(listed);
});
