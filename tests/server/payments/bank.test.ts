import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankAccounts, members } from "#db/schema/index.ts";
import { openNumber, sealNumber } from "#server/domains/account/seal-number.ts";
import { bytesAtRest } from "../../support/at-rest.ts";
import { give } from "../../support/credentials.ts";
import { lock } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { messagesOf } from "../http/endpoints.ts";
import { ACCOUNT, bind, NUMBER, PIN } from "./purse.ts";

let w: World;
let mia: Player;
let count = 0;

beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());
beforeEach(async () => {
  mia = await w.player(`mia_${++count}`);
  await give(w, mia.memberId, { pin: PIN });
});

const rowOf = async ({ memberId }: Player) =>
  (await w.deps.db.read.select().from(bankAccounts).where(eq(bankAccounts.memberId, memberId)))[0];
const answer = ({ code, data }: { code: number; data: { reason?: string } | null }) => [code, data?.reason];
const info = async () => (await mia.call("/member/getUserBankInfo")).data;
const user = async () => (await mia.call("/member/getUserInfo")).data;

/** The code and reason of a refusal that left no trace. */
async function noTo(work: () => ReturnType<typeof bind>): Promise<unknown[]> {
  const before = await everything(w);
  const no = answer(await work());
  expect(await everything(w)).toEqual(before);
  return no;
}

describe("the list of banks", () => {
  it.each([
    ["ko_kr", "kr_kb", "KB국민은행", "미쓰비시UFJ은행"],
    ["ja_ja", "jp_mufg", "三菱UFJ銀行", "三菱UFJ銀行"],
    ["zh_cn", "vn_vcb", "Vietcombank", "三菱日联银行"],
    ["vn_vn", "vn_vcb", "Vietcombank", "MUFG Bank"],
    ["es_spa", "vn_vcb", "Vietcombank", "MUFG Bank"],
  ])("speaks the reader's language, and begins with their country's: %s", async (lang, first, firstName, mufg) => {
    const { data: list } = await mia.call("/system/getBankList", undefined, { lang });
    expect(list[0]).toEqual({ value: first, text: firstName });
    expect(list.find(({ value }) => value === "jp_mufg")!.text).toBe(mufg);
    expect(new Set(list.map(({ text }) => text)).size).toBe(20);
  });

  it("has a unique name and code for each", async () => {
    const { data: list } = await mia.call("/system/getBankList");
    expect(list.length).toBeGreaterThanOrEqual(20);
    expect(new Set(list.map(({ value }) => value)).size).toBe(list.length);
    expect(new Set(list.map(({ text }) => text)).size).toBe(list.length);
  });
});

describe("binding a bank account", () => {
  it("shows its bank and the last four characters of its number, and nothing more", async () => {
    expect([await info(), (await user()).is_bank]).toEqual([{ is_bank: 0, info: null }, 0]);
    expect((await bind(mia, { mobile: "+84 90 123 4567" })).code).toBe(200);
    expect(await info()).toEqual({ is_bank: 1, info: { bankinfo: "ACB", bankid: "**** 5013" } });
    expect((await user()).is_bank).toBe(1);
    expect(await rowOf(mia)).toMatchObject({ bankCode: "vn_acb", last4: "5013", mobile: "+84 90 123 4567" });
  });

  it("names the bank in the reader's language", async () => {
    await bind(mia, { bank_code: "kr_shinhan" });
    const nameIn = async (lang: string) =>
      (await mia.call("/member/getUserBankInfo", undefined, { lang })).data.info?.bankinfo;
    expect([await nameIn("ko_kr"), await nameIn("th_th")]).toEqual(["신한은행", "Shinhan Bank"]);
  });

  it("gives a member without a real name the holder's", async () => {
    await bind(mia, { username: "  Trần Thị Mia " });
    expect((await user()).name).toBe("Trần Thị Mia");
  });

  it("accepts the member's real name as the holder, and no other", async () => {
    await w.deps.db.transact((tx) =>
      tx.update(members).set({ realName: "Mia Tran" }).where(eq(members.id, mia.memberId)),
    );
    expect(await noTo(() => bind(mia, { username: "Mia Trang" }))).toEqual([422, "name.mismatch"]);
    expect((await bind(mia, { username: "MIA  TRAN" })).code).toBe(200);
    expect(await rowOf(mia)).toMatchObject({ holder: "MIA  TRAN" });
  });

  it("needs a pay password first", async () => {
    mia = await w.player(`bare_${count}`);
    expect(await noTo(() => bind(mia))).toEqual([422, "passcode.missing"]);
  });

  it("is possible once", async () => {
    await bind(mia);
    expect(await noTo(() => bind(mia, { bankid: "9988776655" }))).toEqual([409, "bank.bound"]);
  });

  it("succeeds once among many concurrent requests", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => bind(mia, { bankid: `55500011${10 + i}` })));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === 409)).toHaveLength(19);
    const winner = replies.findIndex(({ code }) => code === 200);
    expect(await rowOf(mia)).toMatchObject({ last4: `11${10 + winner}` });
  });

  it("repeats the answer to a retry with its idempotency key", async () => {
    expect((await bind(mia, {}, "tap")).code).toBe(200);
    expect((await bind(mia, {}, "tap")).code).toBe(200);
    expect(answer(await bind(mia, { bankid: "9988776655" }, "tap"))).toEqual([409, "key.reused"]);
  });

  it("is refused to a locked member", async () => {
    await lock(w, mia.memberId, true);
    expect(await noTo(() => bind(mia))).toEqual([403, "member.locked"]);
  });

  it.each([
    ["bank_code", "vn_none", "bank"],
    ["bank_code", "__proto__", "bank"],
    ["bankid", "12345", "bankid"],
    ["bankid", "1".repeat(35), "bankid"],
    ["bankid", "letters", "bankid"],
    ["bankid", "1234 5678", "bankid"],
    ["bankid", "１２３４５６７", "bankid"],
    ["mobile", "call me", "mobile"],
    ["mobile", "++8490", "mobile"],
    ["username", " ", "required"],
    ["bank", "", "required"],
  ])("refuses an invalid %s: %j", async (field, value, reason) => {
    const before = await everything(w);
    const { code, data } = await bind(mia, { [field]: value });
    expect([code, data]).toEqual([400, { fields: { [field]: messagesOf("en_us").field[reason] } }]);
    expect(await everything(w)).toEqual(before);
  });
});

describe("the number at rest", () => {
  it("is nowhere in the database, its journal or the log", async () => {
    await bind(mia, {}, "tap");
    const files = (await bytesAtRest(w)).map((bytes) => bytes.toString("latin1"));
    for (const text of [...files, w.logged.join("")]) expect(text.includes(NUMBER)).toBe(false);
    expect(files.some((text) => text.includes(ACCOUNT.username))).toBe(true);
  });

  it("is decrypted with the key and the member, and never encrypts to the same bytes", async () => {
    await bind(mia);
    const { sealed } = (await rowOf(mia))!;
    expect(openNumber(w.deps, mia.memberId, sealed)).toBe(NUMBER);
    expect(sealNumber(w.deps, mia.memberId, NUMBER)).not.toBe(sealNumber(w.deps, mia.memberId, NUMBER));
  });

  it("cannot be decrypted as another member's, nor once it was changed", async () => {
    const sealed = sealNumber(w.deps, mia.memberId, NUMBER);
    expect(() => openNumber(w.deps, mia.memberId + 1, sealed)).toThrow("authenticate");
    const bytes = Buffer.from(sealed, "base64url");
    for (const place of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1;
      expect(() => openNumber(w.deps, mia.memberId, changed.toString("base64url"))).toThrow("authenticate");
    }
  });
});
