import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readHead } from "#client/watch/check-head.ts";
import { builtApp, stateApp } from "#server/domains/log/served-app.ts";
import { verifyLog } from "#server/verify/log.ts";
import { fairOrigins } from "#shared/contract/log.ts";
import { ask } from "../admin/operate.ts";
import { Phone } from "../../cheats/trial/phone.ts";
import { Client } from "../../support/client.ts";
import { world } from "../../support/world.ts";

const KEY = "k3-1m";

it("a phone and a stranger who were away while the house was restored twice are told of no fraud", async () => {
  const w = await world();
  await w.game();
  // As a server does when it starts, where the app is built.
  const served = await builtApp();
  if (served) await w.deps.db.transact((tx) => stateApp(tx, served, w.now()));
  const live = async () => {
    await w.live(60_000);
    await w.deps.publicLog.advance();
  };
  await live();
  const address = await w.listen();
  const client = new Client(address);
  expect(await client.must(fairOrigins)).toEqual([]);
  const phone = await Phone.begin(address, null, w.now);
  await phone.visit(KEY);
  const folder = mkdtempSync(join(tmpdir(), "trio-restored-"));
  const look = () =>
    verifyLog({
      site: address,
      keep: join(folder, "head.json"),
      copy: undefined,
      save: undefined,
      witnesses: [],
      clock: w.deps.clock,
    });
  expect(await look()).toMatchObject({ isFine: true });
  const before = (await phone.watcher.answer("report", { member: "", page: address })).log!;
  for (const reason of ["The disk failed", "The other disk failed"]) {
    await ask(w, "restored", "--reason", reason);
    for (let i = 0; i < 2; i++) await live();
  }
  const origins = await client.must(fairOrigins);
  expect(origins.map(({ head }) => readHead(head)!.checkpoint.origin)).not.toContain(before.origin);
  await phone.visit(KEY);
  expect(await phone.found()).toEqual(["found: restored"]);
  const { log } = await phone.watcher.answer("report", { member: "", page: address });
  expect(log!.restores!.map(({ number, reason }) => [number, reason])).toEqual([
    [1, "The disk failed"],
    [2, "The other disk failed"],
  ]);
  expect(log!.origin).toBe(readHead(origins[1]!.head)!.checkpoint.origin);
  const continues = `note   This log says that it continues the one that you kept, ${before.origin}.`;
  expect(await look()).toEqual({ isFine: true, text: expect.stringContaining(continues) as string });
  rmSync(folder, { recursive: true });
  await w.close();
});
