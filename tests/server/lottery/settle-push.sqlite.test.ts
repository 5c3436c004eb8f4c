import { expect, it } from "vitest";
import { pushMessages, pushSubscriptions } from "#db/schema/index.ts";
import { openSqlite } from "#db/sqlite/open.ts";
import { settleRound } from "#server/domains/lottery/settle.sqlite.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { openBookWorld } from "./book-world.sqlite.ts";
import { newCrowd } from "./crowd.ts";

it("the result of a settled round is queued for devices that want results, once, where there are any", async () => {
  const w = await openBookWorld();
  const raw = openSqlite(w.file);
  const queued = async () =>
    (await w.db.read.select().from(pushMessages)).map(({ kind, about, dueAt, expiresAt }) => ({
      kind,
      about,
      dueAt,
      expiresAt,
    }));
  const settled = async () => {
    const crowd = await newCrowd(w);
    await crowd.betSurely();
    await w.draw();
    for (const _ of [1, 2]) Array.from(settleRound({ raw, clock: w }, crowd.round));
    return crowd;
  };
  await settled();
  expect(await queued()).toEqual([]);
  const [memberId] = await w.members(1);
  const device = { endpoint: "https://push.example/1", p256dh: "", auth: "", locale: "en_us" } as const;
  await w.db.transact((tx) =>
    tx
      .insert(pushSubscriptions)
      .values({ ...device, kinds: [], sessionId: 1, memberId: memberId!, createdAt: w.now() }),
  );
  const { round } = await settled();
  expect(await queued()).toEqual([{ kind: "results", about: round, dueAt: w.now(), expiresAt: w.now() + MINUTE_MS }]);
  raw.close();
  await w.end();
});
