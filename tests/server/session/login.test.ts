import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hash } from "@node-rs/argon2";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { NOBODYS, Passwords } from "#server/domains/account/passwords.ts";
import { messagesOf } from "../http/endpoints.ts";
import { world, type World } from "../../support/world.ts";
import { allSessions, INVITE, logIn, PASSWORD, register, whoIs } from "./people.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await w.invite(INVITE);
  await register(w, "anna_1");
});
afterAll(() => w.close());

describe("logging in", () => {
  it("opens a new session each time", async () => {
    const [one, two] = [await logIn(w, "anna_1"), await logIn(w, "anna_1")];
    expect([one.code, two.code]).toEqual([200, 200]);
    expect(one.data.token).not.toBe(two.data.token);
    expect(Buffer.from(one.data.token, "base64url")).toHaveLength(32);
    for (const { data } of [one, two]) expect((await whoIs(w, data.token)).data).toEqual(data.user);
  });

  it("answers an unknown name and a wrong password alike, and opens nothing", async () => {
    const before = await allSessions(w);
    for (const lang of ["vn_vn", "ko_kr", "en_us"] as const) {
      const [unknown, wrong] = [
        await logIn(w, "nobody_1", PASSWORD, { lang }),
        await logIn(w, "anna_1", "guess", { lang }),
      ];
      expect(wrong.text).toBe(unknown.text);
      expect([wrong.code, wrong.msg, wrong.data]).toEqual([
        422,
        messagesOf(lang).refusal.login!.failed,
        { reason: "login.failed" },
      ]);
    }
    expect(await allSessions(w)).toEqual(before);
  });

  it("does not check the form of its fields, only that they are not empty", async () => {
    expect((await logIn(w, "no such name!", "x")).code).toBe(422);
    expect((await logIn(w, "", "")).fields).toMatchObject({
      username: expect.any(String) as string,
      password: expect.any(String) as string,
    });
  });

  it("is refused to members without a password", async () => {
    await w.player("sso_only");
    for (const guess of ["null", "undefined", " "]) expect((await logIn(w, "sso_only", guess)).code).toBe(422);
  });

  it("records the address and the device, cut to a decent length", async () => {
    await w.site.app.inject({
      method: "POST",
      url: "/api/member/doLogin",
      remoteAddress: "192.0.2.44",
      headers: { "user-agent": "A".repeat(500) },
      payload: { username: "anna_1", password: PASSWORD },
    });
    expect((await allSessions(w)).at(-1)).toMatchObject({ ip: "192.0.2.44", agent: "A".repeat(200) });
  });
});

describe("passwords", () => {
  const easy = () => hash("easy", { memoryCost: 8, timeCost: 1, parallelism: 1 });

  it("of unknown members never match", async () => {
    const passwords = new Passwords(w.deps.keys);
    expect(await passwords.verify(null, NOBODYS, OPERATOR)).toBe(false);
  });

  it("are still checked while one of them fails", async () => {
    const [passwords, stored] = [new Passwords(w.deps.keys), await easy()];
    const broken = passwords.verify("no hash at all", "easy", OPERATOR);
    const next = passwords.verify(stored, "easy", OPERATOR);
    await expect(broken).rejects.toThrow(/decoding/i);
    expect(await next).toBe(true);
  });
});
