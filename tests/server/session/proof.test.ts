import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { give } from "../../support/credentials.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { INVITE, logIn, PASSWORD, register } from "./people.ts";

let w: World;
let mia: Player;
let count = 0;

beforeAll(async () => {
  w = await world();
  await w.invite(INVITE);
});
beforeEach(async () => {
  mia = await w.player(`mia_${++count}`, { balance: 1_000 });
  await give(w, mia.memberId, { password: PASSWORD });
});
afterAll(() => w.close());

const BANK = { bankid: "123456789", bank: "ACB", bank_code: "vn_acb", username: "Mia Tran", mobile: "" };
const NEEDED = { code: 403, data: { reason: "proof.needed" } };
const kinds = async ({ call }: Player): Promise<string[]> =>
  (await call("/member/messages", undefined)).data.map(({ kind }: { kind: string }) => kind);

describe("a session whose last proof is five minutes old", () => {
  const guarded: [path: string, input: Record<string, string>][] = [
    ["/member/setPayPassword", { paypassword: "246810" }],
    ["/member/setBank", BANK],
    ["/member/endSession", {}],
  ];

  it.each(guarded)("is refused by %s, and served once the member has proved who they are", async (path, input) => {
    if (path === "/member/setBank") await give(w, mia.memberId, { pin: "246810" });
    w.pass(5 * MINUTE_MS);
    expect(await mia.call(path, input)).toMatchObject(NEEDED);
    expect((await mia.call("/member/prove", { password: PASSWORD })).code).toBe(200);
    expect((await mia.call(path, input)).code).toBe(200);
  });

  it("does not get the member's data", async () => {
    w.pass(5 * MINUTE_MS);
    const ask = () => send(w, { method: "GET", path: "/member/export?format=json", token: mia.token });
    expect(await ask()).toMatchObject(NEEDED);
    await mia.call("/member/prove", { password: PASSWORD });
    await send(w, { method: "GET", path: "/member/export?format=json", token: mia.token }).catch(() => {});
    expect(await kinds(mia)).toContain("security.exportTaken");
  });

  it("was fresh until the last moment, and a token alone never makes it fresh again", async () => {
    w.pass(5 * MINUTE_MS - 1);
    expect((await mia.call("/member/endSession", {})).code).toBe(200);
    w.pass(1);
    expect(await mia.call("/member/endSession", {})).toMatchObject(NEEDED);
    expect(await mia.call("/member/prove", {})).toMatchObject({
      code: 400,
      data: { fields: { password: expect.any(String) as string } },
    });
    expect(await mia.call("/member/prove", { password: "not hers" })).toMatchObject({ code: 422 });
    expect(await mia.call("/member/endSession", {})).toMatchObject(NEEDED);
  });
});

describe("a proof", () => {
  it("may be the passcode, and holds for its own session alone", async () => {
    await give(w, mia.memberId, { pin: "246810" });
    const other = (await logIn(w, `mia_${count}`)).data.token;
    w.pass(HOUR_MS);
    expect(await mia.call("/member/security")).toMatchObject({ data: { password: 1, passcode: 1 } });
    expect((await mia.call("/member/prove", { passcode: "246811" })).data).toEqual({
      reason: "passcode.wrong",
      tries_left: 4,
    });
    expect((await mia.call("/member/prove", { passcode: "246810" })).code).toBe(200);
    expect(await w.call("/member/endSession", {}, { token: other })).toMatchObject(NEEDED);
    expect((await mia.call("/member/endSession", {})).code).toBe(200);
  });

  it("without a password or a passcode asks for the one that the member has", async () => {
    const tom = await w.player(`tom_${count}`);
    await give(w, tom.memberId, { pin: "246810" });
    const asked = async ({ call }: Player) => Object.keys((await call("/member/prove", {})).fields!);
    expect([await asked(mia), await asked(tom)]).toEqual([["password"], ["passcode"]]);
    await give(w, mia.memberId, { pin: "246810" });
    expect(await asked(mia)).toEqual(["password"]);
  });

  it("does not outlast a clock that is set back", async () => {
    w.jump(-HOUR_MS);
    expect(await mia.call("/member/endSession", {})).toMatchObject(NEEDED);
    w.jump(HOUR_MS);
  });
});

describe("the member hears", () => {
  it("of a passcode, a bank, a withdrawal, other sessions that ended, a new password and a new device", async () => {
    await set(w, "edit_paypwd", "1");
    const name = `mia_${count}`;
    await mia.call("/member/setPayPassword", { paypassword: "246810" });
    await mia.call("/member/editPayPassword", { oldpaypwd: "246810", paypassword: "975310" });
    await mia.call("/member/setBank", BANK);
    await mia.call("/member/setUserWirhdraw", { money: "200", paypwd: "975310" });
    await logIn(w, name);
    await mia.call("/member/endSession", {});
    await mia.call("/member/setLoginPassword", { old_password: PASSWORD, new_password: "battery staple" });
    expect(await kinds(mia)).toEqual([
      "security.passwordChanged",
      "security.sessionsEnded",
      "security.newDevice",
      "security.withdrawAsked",
      "security.bankLinked",
      "security.passcodeChanged",
      "security.passcodeSet",
    ]);
    const { data } = await mia.call("/member/messages", undefined, { lang: "en_us" });
    const texts = data.map(({ text }: { text: string }) => text);
    expect(texts[1]).toBe("Other devices of yours were logged out: 1");
    expect(texts[4]).toBe("A bank account was linked for your withdrawals: ACB **** 6789");
  });

  it("of a device that was never here before, and not of one that was", async () => {
    await register(w, `anna_${count}`);
    const first = (await logIn(w, `anna_${count}`)).data.token;
    expect((await w.call("/member/messages", undefined, { token: first })).data).toEqual([]);
  });

  describe("of a new device", () => {
    const HOME = { from: "192.0.2.1", agent: "Phone 17" };
    const newDevices = async (reply: Awaited<ReturnType<typeof logIn>>) => {
      const { data } = await w.call("/member/messages", undefined, { token: reply.data.token });
      return data.filter(({ kind }: { kind: string }) => kind === "security.newDevice").length;
    };
    const again = (more: Partial<Parameters<typeof logIn>[3]>) =>
      logIn(w, `anna_${count}`, PASSWORD, { ...HOME, ...more });
    const begin = async () => (await register(w, `anna_${count}`, HOME)).data.device;

    it("that says of itself what the member's says, and comes from elsewhere", async () => {
      await begin();
      expect(await newDevices(await again({ from: "198.51.100.9" }))).toBe(1);
    });

    it("and not of their own after an update of its browser, wherever it is", async () => {
      const device = await begin();
      expect(await newDevices(await again({ from: "198.51.100.9", agent: "Phone 18", device }))).toBe(0);
    });

    it("and not of their own that lost what it kept, at its usual place", async () => {
      await begin();
      expect(await newDevices(await again({}))).toBe(0);
      expect(await newDevices(await again({ agent: "Phone 18" }))).toBe(1);
    });

    it("that brings another member's token, or one from before a new password", async () => {
      const { token, device } = (await register(w, `anna_${count}`, HOME)).data;
      const other = (await register(w, `berta_${count}`, HOME)).data.device;
      expect(await newDevices(await again({ from: "198.51.100.9", device: other }))).toBe(1);
      const next = { old_password: PASSWORD, new_password: "battery staple" };
      expect((await w.call("/member/setLoginPassword", next, { token })).code).toBe(200);
      const entered = await logIn(w, `anna_${count}`, "battery staple", { ...HOME, from: "203.0.113.5", device });
      expect(await newDevices(entered)).toBe(2);
    });
  });
});

describe("a session, however much it is used,", () => {
  it("ends ninety days after its log-in, or when the operator says", async () => {
    const isThere = async () => (await mia.call("/member/checkloginout", {}, { method: "GET" })).code === 200;
    const live = async (days: number) => {
      for (let day = 0; day < days; day++) {
        w.pass(DAY_MS);
        await isThere();
        await w.site.housekeeping.tick();
      }
    };
    await live(89);
    expect(await isThere()).toBe(true);
    await set(w, "session_days", "80");
    expect(await isThere()).toBe(false);
    await set(w, "session_days", "90");
    expect(await isThere()).toBe(true);
    w.pass(DAY_MS);
    expect(await isThere()).toBe(false);
  });
});
