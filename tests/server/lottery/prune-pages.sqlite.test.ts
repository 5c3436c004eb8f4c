import { expect, it } from "vitest";
import { immediately, openSqlite } from "#db/sqlite/open.ts";
import { pruneKeys } from "#server/domains/lottery/prune-keys.sqlite.ts";
import { DAY_MS } from "#shared/time.ts";
import { openBookWorld } from "./book-world.sqlite.ts";

/** Keys that are looked at in one step. */
const PAGE = 2_000;

it("keys are gone through page by page, each once, also where none of a page is old", async () => {
  const w = await openBookWorld();
  const [first, second] = await w.members(2);
  await w.draw();
  w.pass(DAY_MS + 1);
  const raw = openSqlite(w.file);
  const insert = raw.prepare("insert into spent_keys (member_id, key, bet_id, request_hash) values (?, ?, ?, '')");
  // The rounds that were drawn have no bets.
  const [OLD, YOUNG] = [0, 1];
  immediately(raw, () => {
    // The first page ends with the first key of the second member.
    for (let i = 1; i < PAGE; i++) insert.run(first, `key-${10_000 + i}`, YOUNG);
    for (let i = 1; i < PAGE; i++) insert.run(second, `key-${10_000 + i}`, OLD);
    insert.run(second, "key-0", YOUNG);
  });
  const steps = pruneKeys({ raw, clock: w });
  const seen = [];
  let step = steps.next();
  for (; !step.done; step = steps.next()) seen.push(step.value);
  expect([step.value, seen.length]).toEqual([PAGE - 1, 1]);
  expect(raw.prepare("select count(*) from spent_keys").pluck().get()).toBe(PAGE);
  raw.close();
  await w.end();
});
