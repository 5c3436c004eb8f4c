import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { TestSocket } from "../../support/client.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask, operate, operateWith } from "./operate.ts";

const SECOND = 1_000;

let w: World;
let mia: Player;
let line: TestSocket;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  line = new TestSocket(await w.listen(), mia.token);
  await line.until("hello");
});
afterEach(async () => {
  line.close();
  await w.close();
});

const BET = { item: "A", money: "100", lid: "lot_1", mid: "", expect: "20260302-0001" };
const login = (username: string, password: string) => w.call("/member/doLogin", { username, password });

describe("member:add", () => {
  it("makes a member, who logs in without an invite", async () => {
    const { out } = await operateWith("eight chars", w, "member:add", "Olaf_7", "--json");
    expect(JSON.parse(out)).toEqual({ ok: true, id: "mem_2", username: "olaf_7" });
    const { code, data } = await login("olaf_7", "eight chars");
    expect(code).toBe(200);
    expect(data.user).toMatchObject({ id: "mem_2", username: "olaf_7", money: "0.00", status: 1, is_see: 0 });
  });
});

describe("member:list and member:show", () => {
  it("list every member with their balance", async () => {
    await w.player("nils_2");
    const [list, { out }] = await Promise.all([ask(w, "member:list"), operate(w, "member:list")]);
    expect(list).toEqual([
      { id: "mem_1", username: "mia_1", status: 1, money: "1000.00" },
      { id: "mem_2", username: "nils_2", status: 1, money: "0.00" },
    ]);
    expect(out).toMatch(/^mia_1 +1000\.00\nnils_2 +0\.00\n$/);
  });

  it("show a member's account status and newest entries, including bets not indexed yet", async () => {
    await mia.call("/game/placeOrder", BET);
    expect(await ask(w, "member:show", "mia_1")).toMatchObject({
      id: "mem_1",
      username: "mia_1",
      status: 1,
      money: "900.00",
      version: 2,
      sessions: 1,
      demo: false,
      entries: [
        { id: null, type: "stake", version: 2, money: "-100.00", balance: "900.00" },
        { id: "trf_1", type: "credit", version: 1, money: "1000.00", balance: "1000.00" },
      ],
    });
  });
});

describe("member:kick", () => {
  it("tells every session why, closes its sockets and answers it with 10001", async () => {
    expect(await ask(w, "member:kick", "mia_1", "--reason", "Closing time")).toEqual({ ok: true, sessions: 1 });
    expect(await line.until("session:kick", undefined, SECOND)).toEqual({ code: 10001, msg: "Closing time" });
    await line.until("disconnect", undefined, SECOND);
    const { code, msg, data } = await mia.call("/member/checkloginout");
    expect([code, msg, data]).toEqual([10001, "Closing time", { reason: "session.kicked" }]);
  });

  it("gives the default reason in the member's language, also at the next handshake", async () => {
    await operate(w, "member:kick", "mia_1");
    const msg = w.deps.text("en_us", "refusal.session.kicked");
    expect(await line.until("session:kick", undefined, SECOND)).toEqual({ code: 10001, msg });
    const again = new TestSocket(await w.listen(), mia.token);
    const refused = await new Promise<unknown>((resolve) => {
      again.socket.once("connect_error", (error) => resolve((error as { data?: unknown }).data));
    });
    again.close();
    expect(refused).toMatchObject({ code: 10001 });
  });

  it("leaves other members where they are", async () => {
    const nils = await w.player("nils_2");
    await operate(w, "member:kick", "nils_2");
    await expect.poll(async () => (await nils.call("/member/getUserInfo")).code).toBe(10001);
    expect((await mia.call("/member/getUserInfo")).code).toBe(200);
    expect(line.all("session:kick")).toEqual([]);
  });
});

describe("member:lock and member:unlock", () => {
  it("lock a member out of everything but reading, and let them back in", async () => {
    expect(await ask(w, "member:lock", "mia_1", "--reason", "A test")).toEqual({ ok: true, locked: true });
    expect(await line.until("member:change", ({ status }) => status === 0, SECOND)).toMatchObject({ is_see: 0 });
    expect((await readWallet(w.deps.db.read, mia.memberId)).frozen).toBe(true);
    const { code, data } = await mia.call("/game/placeOrder", BET);
    expect([code, data]).toEqual([403, { reason: "member.locked" }]);
    const info = await mia.call("/member/getUserInfo");
    expect([info.code, info.data.status, info.data.money]).toEqual([200, 0, "1000.00"]);

    expect(await ask(w, "member:unlock", "mia_1", "--reason", "It is over")).toEqual({ ok: true, locked: false });
    await line.until("member:change", ({ status }) => status === 1, SECOND);
    expect((await readWallet(w.deps.db.read, mia.memberId)).frozen).toBe(false);
    expect((await mia.call("/game/placeOrder", BET)).code).toBe(200);
  });

  it("say that no reason was given where none was", async () => {
    expect(await ask(w, "member:lock", "mia_1")).toEqual({ ok: true, locked: true });
    expect(await ask(w, "member:unlock", "mia_1")).toEqual({ ok: true, locked: false });
    const { data } = await mia.call("/member/messages", {}, { method: "GET", lang: "en_us" });
    expect(data.slice(0, 2).map(({ text }) => text)).toEqual([
      "Your account is no longer suspended. Reason: none was given",
      "We suspended your account. Reason: none was given",
    ]);
  });

  it("refuse a locked member's login", async () => {
    await operateWith("eight chars", w, "member:add", "olaf_7");
    await ask(w, "member:lock", "olaf_7", "--reason", "A test");
    const { code, data } = await login("olaf_7", "eight chars");
    expect([code, data]).toEqual([403, { reason: "member.locked" }]);
  });

  it("tell the member why, in their language, or in which it is", async () => {
    const words = '{"en_us": "Your papers are missing", "ko_kr": "서류가 없습니다"}';
    await operateWith("eight chars", w, "member:add", "nora_7");
    const { data } = await login("nora_7", "eight chars");
    await ask(w, "member:lock", "nora_7", "--reason", words);
    const refused = async (lang: string) =>
      (await w.call("/member/doLogin", { username: "nora_7", password: "eight chars" }, { lang })).msg;
    expect(await refused("ko_kr")).toBe("정지된 계정입니다. 고객센터로 문의해 주세요. 사유: 서류가 없습니다");
    expect(await refused("es_spa")).toMatch(/Motivo: Your papers are missing \(inglés\)$/);
    await ask(w, "member:unlock", "nora_7", "--reason", '{"en_us": "All is well"}');
    const asked = { method: "GET", lang: "es_spa", token: data.token } as const;
    const told = await w.call("/member/messages", { limit: "2" }, asked);
    expect(told.data).toMatchObject([
      { kind: "security.unlocked", reason: "All is well", langs: { reason: "en" } },
      { kind: "security.locked", reason: "Your papers are missing", langs: { reason: "en" } },
    ]);
  });
});

describe("member:activate", () => {
  it("starts a membership, and adds to one that runs", async () => {
    const first = await ask<{ member_until: number }>(w, "member:activate", "mia_1", "--days", "30");
    expect(Math.abs(first.member_until - (Date.now() / 1_000 + 30 * 86_400))).toBeLessThan(60);
    const change = { status: 1, is_see: 1, member_until: first.member_until };
    expect(await line.until("member:change", undefined, SECOND)).toEqual(change);
    const { data } = await mia.call("/member/getUserInfo");
    expect([data.is_see, data.member_until]).toEqual([1, first.member_until]);

    const second = await ask<{ member_until: number }>(w, "member:activate", "mia_1", "--days", "5");
    expect(second.member_until).toBe(first.member_until + 5 * 86_400);
  });
});
