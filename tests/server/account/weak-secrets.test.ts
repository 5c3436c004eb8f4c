import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE_MS } from "#shared/time.ts";
import { give } from "../../support/credentials.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { INVITE, PASSWORD, register } from "../session/people.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await w.invite(INVITE);
});
afterAll(() => w.close());

describe("a password", () => {
  const weak: [password: string, why: string][] = [
    ["password", "Too many people use this password: please choose another"],
    ["Password1", "Too many people use this password: please choose another"],
    ["12345678", "Too many people use this password: please choose another"],
    ["aaaaaaaa", "Too many people use this password: please choose another"],
    ["hgfedcba", "Too many people use this password: please choose another"],
    ["xzxxzzxz", "Too many people use this password: please choose another"],
    ["qwertyui", "Too many people use this password: please choose another"],
    ["trio2026", "Please choose a password without your username or the club’s name"],
    ["Weak_one1!", "Please choose a password without your username or the club’s name"],
  ];

  it.each(weak)("such as %s is refused, in the caller's language", async (password, why) => {
    const answer = await w.call(
      "/member/doRegister",
      { username: "weak_one", password, code: INVITE },
      { lang: "en_us" },
    );
    expect(answer).toMatchObject({ code: 400, data: { fields: { password: why } } });
  });

  it("that merely holds a name is taken", async () => {
    expect((await register(w, "weak_two", { password: "why weak_two, of all" })).code).toBe(200);
    // Four characters around a name are worth nothing, five are.
    expect((await register(w, "weak_six", { password: "trio20267" })).code).toBe(200);
  });

  it("that follows another one is neither weak nor the same", async () => {
    const mia = await w.player("mia_1");
    await give(w, mia.memberId, { password: PASSWORD });
    const change = (next: string) =>
      mia.call("/member/setLoginPassword", { old_password: PASSWORD, new_password: next }, { lang: "en_us" });
    const refused = (why: string) => ({ code: 400, data: { fields: { new_password: why } } });
    expect(await change("iloveyou")).toMatchObject(refused("Too many people use this password: please choose another"));
    expect(await change(PASSWORD)).toMatchObject(refused("The new password has to differ from the old one"));
    expect((await change("battery staple")).code).toBe(200);
  });
});

it("that is weak is taken while the operator says so", async () => {
  await set(w, "weak_secrets", "1");
  const { code, data } = await register(w, "weak_ten", { password: "12345678" });
  expect(code).toBe(200);
  const { token } = data;
  expect((await w.call("/member/setPayPassword", { paypassword: "111111" }, { token })).code).toBe(200);
  await set(w, "weak_secrets", "0");
});

describe("a passcode", () => {
  it.each(["000000", "123456", "654321", "121212"])("such as %s is refused, first or next", async (weak) => {
    const who = await w.player(`pin_${weak}`);
    const refused = { code: 400, data: { fields: { paypassword: expect.any(String) as string } } };
    expect(await who.call("/member/setPayPassword", { paypassword: weak })).toMatchObject(refused);
    await give(w, who.memberId, { pin: "246810" });
    await set(w, "edit_paypwd", "1");
    const next = { oldpaypwd: "246810", paypassword: weak };
    expect(await who.call("/member/editPayPassword", next)).toMatchObject(refused);
  });

  it("is locked twice as long each time, up to a day, and anew after a right one", async () => {
    const leo = await w.player("leo_1");
    await give(w, leo.memberId, { pin: "246810" });
    const tryPin = async (passcode: string) => (await leo.call("/member/prove", { passcode })).reason;
    const fail = async () => {
      for (let i = 0; i < 5; i++) expect(await tryPin("111222")).toBe("passcode.wrong");
      expect(await tryPin("246810")).toBe("passcode.locked");
    };
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      await fail();
      w.pass(minutes * MINUTE_MS - 1);
      expect(await tryPin("246810")).toBe("passcode.locked");
      // Old rows are pruned meanwhile, but not this one.
      await w.site.housekeeping.tick();
      w.pass(1);
    }
    expect(await tryPin("246810")).toBeUndefined();
    await fail();
    w.pass(15 * MINUTE_MS);
    expect(await tryPin("246810")).toBeUndefined();
    const { data } = await leo.call("/member/messages", undefined, { lang: "en_us" });
    expect(data[0]!.text).toBe("A wrong payment passcode was entered five times. Your passcode is locked for 15 min.");
  });
});
