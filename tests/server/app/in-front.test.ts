import { afterEach, beforeEach, expect, it } from "vitest";
import { inFront, type Db } from "#db/db.ts";
import { settings } from "#db/schema/site.ts";
import { world, type World } from "../../support/world.ts";

/** More than any engine runs at once. */
const MANY = 40;

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

it("a transaction in front goes before all that wait", async () => {
  const { db } = w.deps;
  const ended: string[] = [];
  const write = async (to: Db, name: string) => {
    await to.transact(async (tx) => void (await tx.insert(settings).values({ name, value: 1 })));
    ended.push(name);
  };
  const members = Array.from({ length: MANY }, (_, i) => write(db, `member ${i}`));
  await Promise.all([...members, write(inFront(db), "round")]);
  expect(ended).toHaveLength(MANY + 1);
  expect(ended.indexOf("round")).toBeLessThan(MANY / 2);
});
