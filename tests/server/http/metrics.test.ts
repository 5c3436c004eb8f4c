import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pushMessages } from "#db/schema/push.ts";
import { HashLanes } from "#server/domains/account/hash-lanes.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { WitnessServer } from "../../support/witness-servers.ts";
import { bet } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";
import { metric } from "../lottery/failing-world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const scrape = async () => (await w.site.app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" })).body;

describe("the metrics of rounds", () => {
  it("tell how late the latest is, and how many are not paid", async () => {
    await w.game();
    const mia = await w.player("mia_1", { balance: 100 });
    await w.live(1_000);
    await bet(w, mia, 10, "A");
    expect([await metric(w, "trio_rounds_unsettled"), await metric(w, "trio_round_late_seconds")]).toEqual([0, 0]);
    w.pass(66_000);
    expect([await metric(w, "trio_rounds_unsettled"), await metric(w, "trio_round_late_seconds")]).toEqual([1, 7]);
    expect(await metric(w, "trio_rounds_overdue")).toBe(0);
    w.pass(10_000);
    expect(await metric(w, "trio_rounds_overdue")).toBe(1);
    await w.settle();
    await w.settle();
    expect([await metric(w, "trio_rounds_unsettled"), await metric(w, "trio_round_late_seconds")]).toEqual([0, 0]);
  });
});

describe("the sum of the ledger", () => {
  it("is unknown before it was read, 0 while all is right, and what somebody added by hand", async () => {
    expect(await metric(w, "trio_ledger_sum")).toBeNaN();
    await w.game();
    const mia = await w.player("mia_1", { balance: 1_000 });
    await w.live(1_000);
    await bet(w, mia, 10, "A,B");
    await w.live(60_000);
    await w.site.ledger.tick();
    expect(await metric(w, "trio_ledger_sum")).toBe(0);
    await w.site.housekeeping.seal();
    await bet(w, mia, 5, "A");
    await w.site.ledger.tick();
    expect(await metric(w, "trio_ledger_sum")).toBe(0);
    await withConnection(w.config.database, async (connection) => {
      await unguard(connection);
      await connection.run(`update wallets set balance = balance + 7 where member_id = ${mia.memberId}`);
    });
    await w.site.ledger.tick();
    expect(await metric(w, "trio_ledger_sum")).toBe(7);
  });

  it("is unknown again when it cannot be read", async () => {
    await w.site.ledger.tick();
    expect(await metric(w, "trio_ledger_sum")).toBe(0);
    const { snapshot } = w.deps.db;
    w.deps.db.snapshot = () => Promise.reject(new Error("the disk is gone"));
    await expect(w.site.ledger.tick()).rejects.toThrow("the disk is gone");
    w.deps.db.snapshot = snapshot;
    expect(await metric(w, "trio_ledger_sum")).toBeNaN();
  });
});

describe("the metrics of the public log", () => {
  it("tell how old the newest head is", async () => {
    await w.deps.publicLog.advance();
    w.pass(90_000);
    expect(await metric(w, "trio_log_head_age_seconds")).toBe(90);
  });

  it("tell which witnesses are silent, and how many are missing", async () => {
    const [one, two] = await Promise.all(
      ["one", "two"].map((name) => WitnessServer.start(w.folder, w.deps.clock, name)),
    );
    const silent = await world({ env: { WITNESSES: `${one!.named}, ${two!.named}`, WITNESSES_NEEDED: "2" } });
    const said = async () => [
      await metric(silent, "trio_witnesses_silent"),
      await metric(silent, "trio_witnesses_missing"),
    ];
    await one!.meets(silent.site.publicLog.key.key);
    await silent.deps.publicLog.advance();
    // A witness on a busy machine may answer late: it is asked again for the same head.
    await expect.poll(async () => (await silent.site.publicLog.witnesses.post(), said())).toEqual([1, 1]);
    await Promise.all([one!.leave(), two!.leave()]);
    await silent.close();
  });
});

describe("the metrics of queues", () => {
  it("tell how long a notification waits", async () => {
    expect(await metric(w, "trio_push_lag_seconds")).toBe(0);
    const row = { kind: "notices", about: 1, dueAt: w.now(), expiresAt: w.now() + 1e6 } as const;
    await w.deps.db.transact((tx) => tx.insert(pushMessages).values(row));
    w.pass(30_000);
    expect(await metric(w, "trio_push_lag_seconds")).toBe(30);
  });

  it("tell how long the outbox was not read, and forget it once it is", async () => {
    expect(await metric(w, "trio_outbox_age_seconds")).toBe(0);
    const rename = (from: string, to: string) =>
      withConnection(w.config.database, (connection) => connection.run(`alter table ${from} rename to ${to}`));
    await rename("outbox", "outbox_elsewhere");
    await w.site.relay.wake();
    w.pass(12_000);
    await w.site.relay.wake();
    expect(await metric(w, "trio_outbox_age_seconds")).toBe(12);
    await rename("outbox_elsewhere", "outbox");
    await w.site.relay.wake();
    expect(await metric(w, "trio_outbox_age_seconds")).toBe(0);
  });

  it("tell who waits to write, and for how long all did", async () => {
    const held = Promise.withResolvers<void>();
    const count = 12;
    const all = Array.from({ length: count }, () => w.deps.db.transact(() => held.promise));
    await expect.poll(() => metric(w, 'trio_database_waiting\\{side="write"\\}')).toBeGreaterThan(0);
    held.resolve();
    await Promise.all(all);
    expect(await metric(w, 'trio_database_waiting\\{side="write"\\}')).toBe(0);
    expect(await metric(w, 'trio_database_wait_seconds_total\\{side="write"\\}')).toBeGreaterThan(0);
  });

  it("tell which passwords wait to be hashed", async () => {
    const held = Promise.withResolvers<void>();
    const lanes = new HashLanes({ isLimited: true, slots: 1 });
    const all = Array.from({ length: 3 }, () => lanes.run({ lane: "login", client: "one" }, () => held.promise));
    expect(lanes.lengths).toEqual({ device: 0, login: 2, session: 0, signup: 0 });
    held.resolve();
    await Promise.all(all);
    for (const lane of [...Object.keys(lanes.lengths), "bets"])
      expect([lane, await metric(w, `trio_waiting\\{lane="${lane}"\\}`)]).toEqual([lane, 0]);
  });

  it("tell failed log-ins, one by one", async () => {
    for (let i = 0; i < 3; i++) await w.call("/member/doLogin", { username: "nobody_1", password: "guess" });
    expect(await metric(w, 'trio_security_events_total\\{event="login.failed"\\}')).toBe(3);
  });

  it("tell each stage of a bet", async () => {
    await w.game();
    const mia = await w.player("mia_1", { balance: 100 });
    await w.live(1_000);
    await bet(w, mia, 10, "A");
    for (const stage of ["wait", "commit", "sign"])
      expect([stage, await metric(w, `trio_bet_seconds_count\\{stage="${stage}"\\}`)]).toEqual([stage, 1]);
  });
});

it("tells a kind of security event that never came as 0, so that its first is a rise", async () => {
  expect(await scrape()).toMatch(/^trio_security_events_total\{event="passkey\.copied"\} 0$/m);
});

it("tells the room on the disk", async () => {
  expect(await metric(w, "trio_disk_free_bytes")).toBeGreaterThan(2 ** 20);
});
