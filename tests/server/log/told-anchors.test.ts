import { expect, it } from "vitest";
import { readHead } from "#client/watch/check-head.ts";
import { leafAt } from "#client/watch/read-leaf.ts";
import { siteFiles } from "#server/verify/log-files.ts";
import { fairAnchors } from "#shared/contract/fair.ts";
import { fairHead } from "#shared/contract/log.ts";
import { DAY_MS, parseDay } from "#shared/time.ts";
import { ask } from "../admin/operate.ts";
import { Client } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";

const KEY = "k3-1m";

/** The anchors that a site shows, each with what the log's own files say at the places that are named. */
async function readAll(address: string) {
  const client = new Client(address);
  const [shown, { head }] = [await client.must(fairAnchors, { key: KEY }), await client.must(fairHead)];
  const read = async (path: string) => (await siteFiles(address).read(path, 1_000_000))!;
  const at = (number: number) => leafAt(number, readHead(head!)!, read);
  return Promise.all(
    shown.map(async ({ day, anchor, told }) => {
      const leaves = told && [await at(told.number), await at(told.head - 1)];
      return { day, anchor, told, leaves };
    }),
  );
}

const asLogged = ({ day, anchor, told }: Awaited<ReturnType<typeof readAll>>[number]) => [
  { kind: "anchor", game: KEY, day, anchor },
  { kind: "time", time: told!.time },
];

async function begin(): Promise<{ w: World; address: string }> {
  const w = await world();
  await w.game();
  await w.live(60_000);
  await w.deps.publicLog.advance();
  return { w, address: await w.listen() };
}

it("each anchor names its leaf in the log, and the first head that holds it", async () => {
  const { w, address } = await begin();
  const first = await readAll(address);
  expect(first).toHaveLength(8);
  for (const one of first) expect(one.leaves).toEqual(asLogged(one));
  for (let i = 0; i < 2; i++) {
    await w.live(DAY_MS);
    await w.deps.publicLog.advance();
  }
  const later = await readAll(address);
  expect(later.slice(0, 8)).toEqual(first);
  expect(later.slice(8)).toHaveLength(2);
  for (const one of later) expect(one.leaves).toEqual(asLogged(one));
  // A day that was published in its time has its whole week.
  const { day, told } = later.at(-1)!;
  expect(parseDay(day)! * DAY_MS - told!.time).toBeGreaterThanOrEqual(7 * DAY_MS);
  await w.close();
});

it("after a loss the anchors of the next log are named, and not those of days that are over", async () => {
  const { w, address } = await begin();
  await w.live(DAY_MS);
  const before = await readAll(address);
  await ask(w, "restored", "--reason", "The disk failed");
  for (let i = 0; i < 3; i++) await w.live(60_000);
  const after = await readAll(address);
  expect(after.map(({ day, anchor }) => ({ day, anchor }))).toEqual(before.map(({ day, anchor }) => ({ day, anchor })));
  expect(after[0]!.told).toBe(null);
  for (const one of after.slice(1)) expect(one.leaves).toEqual(asLogged(one));
  expect(after[1]!.told!.time).toBeGreaterThan(before.at(-1)!.told!.time);
  await w.close();
});
