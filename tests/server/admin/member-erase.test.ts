import { eq, getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { hexToBytes } from "@noble/hashes/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as schema from "#db/schema/index.ts";
import { NOBODYS, ROWS_THAT_GO, SIDES } from "#server/admin/erase/personal.ts";
import { approveWithdrawal, payWithdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { makeRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { parseContent } from "#shared/log/salted.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { rootFrom } from "#shared/log/tree.ts";
import { problemsOf } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { audited } from "../../support/audited.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { give } from "../../support/credentials.ts";
import { set } from "../../support/operator.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { openConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything, operateWith } from "./operate.ts";
import { SSO_SECRET } from "../../support/partner.ts";
import { enter } from "../session/partner-world.ts";
import { city, decide, listing, save } from "../listing/listing-world.ts";
import { ask, asked, NUMBER, saver } from "../payments/purse.ts";
import { changeWords, offer, points, spin } from "../wheel/wheel-world.ts";

let w: World;
let mia: Player;
let nils: Player;

beforeEach(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.game();
  mia = await saver(w, "mia_1", 1_000);
  nils = await w.player("nils_2", { balance: 500 });
  await w.live(1_000);
});
afterEach(async () => {
  disarm();
  const problems = await problemsOf(w);
  await w.close();
  if (problems.length > 0) throw new Error(`the audit finds: ${problems.join("; ")}`);
});

const REASON = "Asked for by letter";
const erase = (name = "mia_1", typed = name) => operateWith(typed, w, "member:erase", name, "--reason", REASON);
const place = (player: Player, expect: string, item = "A") =>
  player.call("/game/placeOrder", { lid: "lot_1", mid: "", item, money: "20", expect });

/** A round in which both bet, one of them on all there is, so that one wins. */
async function play(expect = "20260302-0001"): Promise<string> {
  const { data } = await place(nils, expect, "C");
  await place(mia, expect, "A,B");
  await w.live(58_000);
  await w.live(2_000);
  await w.live(60_000);
  return data.id;
}

async function balanceOf({ memberId }: Player): Promise<number> {
  return (await readWallet(w.deps.db.read, memberId)).balance / 100;
}

async function payOut(): Promise<void> {
  const id = await asked(mia, await balanceOf(mia));
  await w.deps.db.transact((tx) => approveWithdrawal(tx, w.deps, id));
  await w.deps.db.transact((tx) => payWithdrawal(tx, w.deps, id));
}

/** What else a member leaves behind: words, looks, comments, pictures, messages, ways to log in. */
async function live(): Promise<void> {
  const key = { credentialId: "id", publicKey: "key", counter: 0n, rpId: "localhost", transports: "", synced: true };
  const row = { ...key, memberId: mia.memberId, name: "Mia's phone", createdAt: w.now() };
  await w.deps.db.transact(async (tx) => {
    await tx.insert(schema.passkeys).values(row);
    await makeRecoveryCodes(tx, w.deps, mia.memberId);
  });
  await w.deps.db.transact((tx) => extendMembership(tx, w.deps, mia.memberId, 30));
  await city(w, "Hanoi");
  await save(w, listing("one"));
  await mia.call("/xuanfei/comment", { id: "lst_1", text: "Mia was here", hearts: "4" });
  await decide(w, 1, true);
  await operateWith("", w, "comment:hide", "cmt_1", "--reason", "Mia Tran, no phone numbers here");
  await mia.call("/xuanfei/xuanfeidata", { id: "lst_1" }, { method: "GET" });
  await offer(w, points("five", 500));
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", "3");
  await spin(mia);
  await changeWords(mia, "mias-own-words");
  await spin(mia);
}

/** A row as text. A hash or a salt may have any four digits by chance. */
const withoutHashes = (row: unknown): string => JSON.stringify(row).replace(/[0-9a-f]{24,}/g, "");

/** Where a text still stands, in any column of any table. */
async function placesOf(...texts: string[]): Promise<string[]> {
  // The outbox lasts an hour. A balance that a test gives names whom it gives it to.
  const { outbox: _hour, ...tables } = await everything(w);
  const found = Object.entries(tables).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      texts
        .filter((text) => withoutHashes(row).replaceAll("test:mia_1", "").includes(text))
        .map((text) => `${table}: ${text}`),
    ),
  );
  const acts = await w.deps.db.read.select().from(schema.operatorActs);
  return [
    ...new Set([
      ...found,
      ...texts.filter((text) => withoutHashes(acts).includes(text)).map((text) => `acts: ${text}`),
    ]),
  ];
}

/** Whether the house still proves a bet of somebody else's in the same round. */
async function isProven(order: string): Promise<boolean> {
  const { data } = await nils.call("/fair/proof", { id: order }, { method: "GET" });
  const { bet, salt, index, path, count, bets_root } = data;
  const leaf = saltedLeaf(hexToBytes(salt), parseContent(bet)!);
  const root = rootFrom(leaf, { index, size: count, path: path.map(hexToBytes) });
  return Buffer.from(root!).toString("hex") === bets_root;
}

describe("an erased member", () => {
  it("leaves numbers alone: rounds, bets, money and leaves still agree, and others' bets are still proven", async () => {
    const order = await play();
    await live();
    await payOut();
    await operateWith("", w, "member:end-sessions", "mia_1", "--reason", "Somebody saw Mia Tran");
    const names = ["mia_1", "Mia Tran", "Mia was here", "mias-own-words", NUMBER.slice(-4), mia.token];
    expect(await placesOf(...names)).not.toEqual([]);
    expect(await erase()).toMatchObject({ exit: 0, out: `mem_${mia.memberId} is erased.\n` });
    expect(await placesOf(...names)).toEqual([]);
    expect(await isProven(order)).toBe(true);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("leaves no name in a link that made them a member, however long before that it was sealed", async () => {
    await payOut();
    await set(w, "sso_secret", SSO_SECRET);
    await operateWith("", w, "sso:link", "mia_9");
    await w.site.housekeeping.seal();
    expect((await enter(w, "mia_9")).code).toBe(200);
    await operateWith("", w, "sso:link", "mia_9");
    expect(await placesOf("mia_9")).toContain("acts: mia_9");
    expect((await erase("mia_9")).exit).toBe(0);
    expect(await placesOf("mia_9")).toEqual([]);
  });

  it("is told why on their devices, cannot come back, and their name is free", async () => {
    await payOut();
    await erase();
    const { code, msg } = await mia.call("/member/getUserInfo", {}, { method: "GET" });
    expect([code, msg]).toEqual([expect.any(Number), expect.stringContaining(REASON)]);
    expect((await erase()).err).toContain("there is no member mia_1");
    expect((await w.player("mia_1")).memberId).not.toBe(mia.memberId);
  });

  it.each([
    ["member:credit", "NAME", "5"],
    ["member:unlock", "NAME"],
    ["member:reset-password", "NAME"],
    ["message:answer", "NAME", "--text", "Hello"],
  ])("is nobody's any more by the number that is left: %s", async (command, ...words) => {
    await payOut();
    await erase();
    const before = await everything(w);
    const name = `erased ${mia.memberId}`;
    const options = command === "message:answer" ? [] : ["--reason", "Back again"];
    const given = words.map((word) => (word === "NAME" ? name : word));
    const { exit, err } = await operateWith("", w, command, ...given, ...options);
    expect([exit, err]).toEqual([1, expect.stringContaining(`${name} was erased`)]);
    expect(await everything(w)).toEqual(before);
    expect((await operateWith("", w, "member:show", name)).out).toContain('"money": "0.00"');
  });

  it("leaves no address, though a device was seen a moment before", async () => {
    await payOut();
    w.pass(2 * 60_000);
    await mia.call("/member/getUserInfo", {}, { method: "GET" });
    await erase();
    await w.site.housekeeping.tick();
    const isOwn = eq(schema.sessions.memberId, mia.memberId);
    expect(await w.deps.db.read.select({ ip: schema.sessions.ip }).from(schema.sessions).where(isOwn)).toEqual([
      { ip: "" },
    ]);
  });

  it("loses an address that came back before the update, and no other session does", async () => {
    await payOut();
    await erase();
    const ips = () =>
      w.deps.db.read.select({ ip: schema.sessions.ip }).from(schema.sessions).orderBy(schema.sessions.id);
    await w.deps.db.transact((tx) => tx.update(schema.sessions).set({ ip: "192.0.2.1" }));
    const connection = await openConnection(w.config.database);
    await runMigration(connection, "0047_forget_addresses");
    await connection.close();
    expect(await ips()).toEqual([{ ip: "" }, { ip: "192.0.2.1" }]);
  });

  it.each(["erase.salts", "erase.write", "erase.files"])(
    "is erased once, though the command was stopped at %s",
    async (where) => {
      await play();
      await payOut();
      arm(`${where} throw 1`);
      expect((await erase()).exit).toBe(1);
      await erase();
      expect(await w.deps.db.read.select({ id: schema.erasedMembers.memberId }).from(schema.erasedMembers)).toEqual([
        { id: mia.memberId },
      ]);
    },
  );

  it.each(["/support/sendPicture", "/system/uploadimg"])("leaves no picture that was being sent: %s", async (path) => {
    await payOut();
    const { storage } = w.deps;
    const put = storage.put.bind(storage);
    let sent = "";
    storage.put = async (name, bytes) => {
      sent = name;
      await put(name, bytes);
      await erase();
    };
    const { code } = await mia.call(path, { file: fileOf(await pngOf(16, 9)) });
    storage.put = put;
    expect(code).toBe(10001);
    for (const table of [schema.conversations, schema.supportMessages, schema.uploads])
      expect(await w.deps.db.read.select().from(table)).toEqual([]);
    expect([sent, await storage.find(sent)]).toEqual([expect.stringMatching(/\.webp$/), null]);
  });

  it("had nothing under way: bets, logins and withdrawals of that moment come before, or are refused", async () => {
    await play();
    await payOut();
    await give(w, mia.memberId, { password: "secret-of-mia" });
    await Promise.all([
      erase(),
      ...Array.from({ length: 6 }, () => place(mia, "20260302-0003")),
      w.call("/member/doLogin", { username: "mia_1", password: "secret-of-mia" }),
      ask(mia, 10),
    ]);
    const open = await w.deps.db.read.select().from(schema.sessions);
    expect(open.filter(({ memberId, endedAt }) => memberId === mia.memberId && endedAt === null)).toEqual([]);
  });
});

describe("nobody is erased", () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ["whose name is typed otherwise", () => payOut(), /the names differ/],
    ["while there is money", async () => undefined, /the balance is 1000.00: pay it out first/],
    ["while a bet is open", () => place(mia, "20260302-0001").then(payOut), /not drawn, paid or stated/],
    ["while a withdrawal waits", () => asked(mia, 1_000), /decide first: wdr_1/],
  ])("%s", async (name, prepare, why) => {
    await prepare();
    const before = await everything(w);
    const { exit, err } = await erase("mia_1", name.includes("typed") ? "nils_2" : "mia_1");
    expect([exit, err]).toEqual([1, expect.stringMatching(why)]);
    expect(await everything(w)).toEqual(before);
  });
});

describe("what goes and what stays", () => {
  const tables = Object.values(schema).filter((one) => is(one, Table)) as Table[];
  const nameOf = (table: Table) => getTableName(table);

  it("is said of every table, once", () => {
    const said = [...SIDES.map(({ table }) => table), ...NOBODYS].map(nameOf);
    const known = tables.map(nameOf);
    expect(new Set(said).size).toBe(said.length);
    expect(known.filter((name) => !said.includes(name))).toEqual([]);
  });

  it("is said of every column of a table that says something of members", () => {
    const wrong = SIDES.flatMap(({ table, goes = "", stays = "" }) => {
      const columns = Object.keys(getTableColumns(table)).sort();
      const said = goes === "rows" ? columns : `${goes} ${stays}`.trim().split(/\s+/).sort();
      return said.join() === columns.join() ? [] : [`${nameOf(table)}: ${columns.join(" ")}`];
    });
    expect(wrong).toEqual([]);
    expect(ROWS_THAT_GO.filter((table) => !("memberId" in getTableColumns(table))).map(nameOf)).toEqual([]);
    const withMembers = NOBODYS.filter((table) => "memberId" in getTableColumns(table)).map(nameOf);
    expect(withMembers).toEqual([]);
  });
});

/** What is changed in a copy, and what the audit says then. */
const TAMPERED: [what: string, sql: string, problem: RegExp][] = [
  [
    "money that vanished",
    "update wallets set balance = 900, version = version + 1 where member_id = 1",
    /^member 1 was erased at change \d+ of the wallet, which has \d+ and holds 900$/,
  ],
  [
    "no leaf",
    "delete from member_leaves where key = 'erasure:1'",
    /^member 1 was erased, and the log does not say so$/,
  ],
  [
    "a leaf without an erasure",
    "delete from erased_members",
    /^the log says that member 1 was erased, the tables do not$/,
  ],
  [
    "a name that was taken away",
    "update members set username = 'erased 2' where id = 2",
    /^member 2 lost their name without an erasure$/,
  ],
  [
    "salts that nobody kept",
    "delete from kept_salts",
    /^member 1 was erased, and no salt was kept of \d bets and payouts$/,
  ],
  [
    "another salt",
    `update kept_salts set salt = '${"ab".repeat(32)}' where name like 'bet %'`,
    /^the log's close of round k3-1m 20260302-0001: bets_root is /,
  ],
  [
    "a bet that was rewritten before",
    "update bets set mask = 4 where member_id = 1",
    /^the log's close of round k3-1m 20260302-0001: bets_root is /,
  ],
  [
    "money whose leaf says more",
    "update member_leaves set content = replace(content, '\"amount\":100000', '\"amount\":200000') where member_id = 1",
    /^the log's leaf \d+ of member 1: its hash is not that of its content$/,
  ],
  [
    "an address of theirs",
    "update sessions set ip = '192.0.2.1' where member_id = 1",
    /^member 1 was erased, and is still in sessions$/,
  ],
  [
    "what had to go",
    "update members set real_name = 'Mia Tran' where id = 1",
    /^member 1 was erased, and is still in members$/,
  ],
];

it("the audit names an erasure that was not by the rules", async () => {
  await play();
  await payOut();
  await erase();
  expect(await problemsOf(w)).toEqual([]);
  const copies = await Copies.of(w);
  const missed: string[] = [];
  for (const [what, sql, problem] of TAMPERED) {
    const { problems } = await audited(await copies.tampered(sql));
    if (problems.filter((one) => problem.test(one)).length !== 1) missed.push(`${what}: ${problems.join("; ")}`);
    await copies.drop();
  }
  await copies.close();
  expect(missed).toEqual([]);
});
