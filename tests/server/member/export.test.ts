import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listingLooks } from "#db/schema/listing.ts";
import { members, messages } from "#db/schema/member.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { withConnection } from "../../support/own-connection.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import type { Player } from "../../support/world.ts";
import { furnishedWorld, type Furnished } from "../http/furnished.ts";
import { exported, fetchExport, parseCsv } from "./exported.ts";

let site: Furnished;
beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());
// Each member may export ten times an hour.
afterEach(() => site.w.pass(2 * HOUR_MS));

const fetchOwn = (format: string, player: Player = site.mia) => fetchExport(site.w, player, format);
const json = (player: Player = site.mia) => exported(site.w, player);

describe("the export of a member's data", () => {
  it("is a file download, named after its day", async () => {
    for (const [format, type] of [
      ["json", "application/json; charset=utf-8"],
      ["csv", "text/csv; charset=utf-8; header=present"],
    ]) {
      const { statusCode, headers } = await fetchOwn(format!);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        "content-type": type,
        "content-disposition": `attachment; filename="trio-data-20260302.${format}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  });

  it("has the account, its limits, logins, messages, bank, top-ups, withdrawals, bets and every entry", async () => {
    const content = await json();
    const fact = (kind: string, section = "account") => content[section]!.find((row) => row.kind === kind);
    expect(fact("username")).toMatchObject({ text: "mia_1" });
    expect(fact("created")).toMatchObject({ time: "2026-03-02T00:00:00.000Z" });
    expect(fact("stake_month", "limits")).toMatchObject({ amount: "500000.00", status: "in force" });
    expect(content.limits).toContainEqual({
      kind: "stake_month",
      status: "to come",
      time: expect.stringMatching(/^2026-03-03T/),
      amount: "600000.00",
    });
    expect(content.bank![0]).toMatchObject({ id: "vn_acb", text: "**** 5013" });
    expect(fact("withdraw.approved", "messages")).toMatchObject({
      text: expect.stringContaining("100"),
      status: "unread",
    });
    expect(content.deposits![0]).toMatchObject({ kind: "sandbox", amount: "20.00", status: "paid" });
    expect(content.withdrawals![0]).toMatchObject({ id: "wdr_1", amount: "100.00", status: "approved" });
    expect(content.sessions!.length).toBe(1);
    const { data } = await site.mia.call("/member/getMoneylog", { limit: "50" }, { method: "GET" });
    const newestFirst = content.entries!.toReversed();
    expect(newestFirst.map(({ id, amount, balance, version }) => [id, amount, balance, version])).toEqual(
      data.list.map(({ id, money, balance, version }) => [id, money, balance, String(version)]),
    );
  });

  it("shows each bet's options, odds, dice, win, and where its draw can be checked; open ones are waiting", async () => {
    await site.w.settle();
    const { w, mia } = site;
    await bet(w, mia, 7, "B,D");
    const content = (await json()).bets!;
    const { data } = await mia.call("/member/getUserGameList");
    expect(content.map(({ id }) => id).toReversed()).toEqual(data.map(({ id }) => id));
    const [first, open] = [content[0]!, content.at(-1)!];
    expect(first).toMatchObject({ game: "k3-1m", options: ["7", "A"], stake: "5.00", amount: "-10.00" });
    expect([first.dice!.length, first.odds!.length]).toEqual([3, 2]);
    expect(open).toMatchObject({ status: "waiting", options: ["B", "D"] });
    expect([open.dice, open.win]).toEqual([undefined, undefined]);
    const proof = await w.site.app.inject({ url: first.proof!, headers: { "x-data-encoding": "json" } });
    expect(proof.json<{ data: { opencode: number[] } }>().data.opencode.map(String)).toEqual(first.dice);
  });

  it("shows each bet's win once it is paid and not a moment before, and lists no bet twice", async () => {
    const { w } = site;
    const ann = await w.player("ann_1", { balance: 100 });
    await w.settle();
    await bet(w, ann, 1, "A,B", "tap");
    w.pass(2 * MINUTE_MS);
    await drawWithoutSettling(w);
    expect((await json(ann)).bets).toMatchObject([{ status: "waiting", stake: "1.00" }]);
    expect((await json(ann)).bets![0]).not.toHaveProperty("dice");
    await w.live(MINUTE_MS);
    expect((await json(ann)).bets).toMatchObject([{ status: "settled", dice: { length: 3 } }]);
    // As when it is indexed after the open ones were read.
    await withConnection(w.config.database, ({ run }) => run("insert into bet_keys select * from spent_keys"));
    expect((await json(ann)).bets).toHaveLength(1);
  });

  it("shows the watched videos, and where the member stopped", async () => {
    const { mia, w } = site;
    for (const [id, position_ms] of [
      ["vid_2", "40000"],
      ["vid_1", "1500"],
      ["vid_1", "12345"],
    ] as const) {
      await mia.call("/video/place", { id, position_ms });
    }
    const time = new Date(w.now()).toISOString();
    expect((await json()).videos).toEqual([
      { id: "vid_1", time, kind: "12.345 seconds", text: "Waves" },
      { id: "vid_2", time, kind: "40 seconds", text: "Dunes" },
    ]);
  });

  it("shows whose address and contact the member saw, and when, though the listing is gone since", async () => {
    const { w } = site;
    const una = await w.player("una_1");
    await w.deps.db.transact((tx) => extendMembership(tx, w.deps, una.memberId, 30));
    await una.call("/xuanfei/xuanfeidata", { id: "lst_1" }, { method: "GET" });
    const time = new Date(w.now()).toISOString();
    await w.deps.db.transact((tx) =>
      tx.insert(listingLooks).values({ memberId: una.memberId, listingId: 99, createdAt: w.now() }),
    );
    expect((await json(una)).looks).toEqual([
      { id: "lst_1", time, text: expect.stringMatching(/./) },
      { id: "lst_99", time, text: "" },
    ]);
  });

  it("shows the limit in force from its very moment, whether or not a job has run", async () => {
    const lea = await site.w.player("lea_1");
    await lea.call("/member/limits", { stake_day: "10" });
    await lea.call("/member/limits", { stake_day: "20" });
    const limits = async () => (await json(lea)).limits!.filter(({ kind }) => kind === "stake_day");
    expect(await limits()).toMatchObject([
      { status: "in force", amount: "10.00" },
      { status: "to come", amount: "20.00" },
    ]);
    site.w.pass(DAY_MS);
    expect(await limits()).toMatchObject([{ status: "in force", amount: "20.00" }]);
  });

  it("has no other member's data, and no secret", async () => {
    const ben = await site.w.player("ben_1", { balance: 7 });
    const { body } = await fetchOwn("json", ben);
    expect(body).not.toContain("mia_1");
    const content = await json(ben);
    // The only messages are about these very exports.
    expect(new Set(content.messages!.map(({ kind }) => kind))).toEqual(new Set(["security.exportTaken"]));
    for (const name of ["bank", "deposits", "withdrawals", "bets", "spins", "comments", "videos", "marks"]) {
      expect([name, content[name]]).toEqual([name, []]);
      expect([name, (await json())[name]]).not.toEqual([name, []]);
    }
    expect([content.sessions!.length, content.entries!.length]).toEqual([1, 1]);
    const mine = (await fetchOwn("json")).body;
    for (const secret of ["19036624875013", "argon2", site.mia.token]) expect(mine).not.toContain(secret);
  });

  it("omits no row of a list that is read in many pages", async () => {
    const pia = await site.w.player("pia_1");
    const { memberId } = pia;
    const many = Array.from({ length: 600 }, (_, i) => ({
      memberId,
      kind: "membership.ended",
      facts: {},
      createdAt: i,
    }));
    await site.w.deps.db.transact(async (tx) => {
      for (let i = 0; i < many.length; i += 100) await tx.insert(messages).values(many.slice(i, i + 100));
    });
    const rows = (await json(pia)).messages!.filter(({ kind }) => kind === "membership.ended");
    const times = rows.map(({ time }) => Date.parse(time!));
    expect(times).toEqual(many.map(({ createdAt }) => createdAt));
  });

  it("has the same rows in CSV: one table, quoted, UTF-8 with a byte order mark", async () => {
    const { rawPayload } = await fetchOwn("csv");
    expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, ...rows] = parseCsv(rawPayload.toString().slice(1));
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head!.length]));
    const content = await json();
    // The second export tells of the first.
    content.messages!.pop();
    const sections = Object.keys(content).filter((name) => name !== "signature");
    for (const name of sections) {
      const lines = rows.filter(([section]) => section === name);
      const wanted = content[name]!.map((row) => head!.slice(1).map((column) => [row[column] ?? ""].flat().join(" ")));
      expect(lines.map((line) => line.slice(1))).toEqual(wanted);
    }
  });

  it("lets no spreadsheet run a text as a formula, and leaves numbers alone", async () => {
    const eve = await site.w.player("eve_1", { balance: 50 });
    const odd = ['=HYPERLINK("http://x","y")', "+1", "-1+1", "@SUM(A1)", 'a "quoted", one\r\nand two'];
    for (const realName of odd) {
      await site.w.deps.db.transact((tx) => tx.update(members).set({ realName }).where(eq(members.id, eve.memberId)));
      const rows = parseCsv((await fetchOwn("csv", eve)).body.slice(1));
      const cell = rows.find((row) => row[0] === "account" && row[3] === "name")![4];
      expect(cell).toBe(realName.startsWith("a") ? realName : `'${realName}`);
    }
    const content = parseCsv((await fetchOwn("csv")).body.slice(1));
    expect(content.some((row) => row[0] === "entries" && row[5] === "-10.00")).toBe(true);
  });
});
