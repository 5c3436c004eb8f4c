import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { invites, members, sessions, wallets } from "#db/schema/index.ts";
import { messagesOf } from "../http/endpoints.ts";
import { world, type World } from "../../support/world.ts";
import { problemsOf } from "../../support/audited.ts";
import { set } from "../../support/operator.ts";
import { INVITE, logIn, PASSWORD, register, whoIs } from "./people.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await w.invite(INVITE);
});
afterAll(() => w.close());

const leftOf = async (code: string) => {
  const [invite] = await w.deps.db.read.select().from(invites).where(eq(invites.code, code));
  return invite!.usesLeft;
};
const traces = async () => {
  const { read } = w.deps.db;
  return [
    await read.select().from(members),
    await read.select().from(wallets),
    await read.select().from(sessions),
    await read.select().from(invites),
  ];
};

describe("registering", () => {
  it("makes a member with an empty wallet and logs them in", async () => {
    const { code, data } = await register(w, "anna_1");
    expect([code, data.tokensso]).toEqual([200, ""]);
    expect(data.user).toMatchObject({
      username: "anna_1",
      money: "0.00",
      status: 1,
      is_see: 0,
      paypassword: 0,
      name: "",
    });
    expect((await whoIs(w, data.token)).data).toEqual(data.user);
    expect((await logIn(w, "anna_1")).code).toBe(200);
  });

  it("gives the points that the operator set, once, and says what they are", async () => {
    await set(w, "welcome_points", "250");
    const { data } = await register(w, "first_1");
    expect(data.user).toMatchObject({ money: "250.00", point: 250 });
    const { list } = (await w.call("/member/getMoneylog", undefined, { token: data.token, lang: "en_us" })).data;
    expect(list).toMatchObject([{ type: "welcome", type_txt: "Welcome points", money: "250.00", version: 1 }]);
    expect(await problemsOf(w)).toEqual([]);
    await set(w, "welcome_points", "0");
  });

  it("gives no money", async () => {
    const other = await world();
    await set(other, "unit", "EUR");
    await set(other, "welcome_points", "250");
    await other.invite(INVITE);
    expect((await register(other, "first_1")).data.user).toMatchObject({ money: "0.00", point: 0 });
    await other.close();
  });

  it("ignores the case of the name, then and at every login", async () => {
    expect((await register(w, "BErta_1")).data.user.username).toBe("berta_1");
    expect((await logIn(w, "bErTA_1")).data.user.username).toBe("berta_1");
    expect((await register(w, "BERTA_1")).data).toEqual({ reason: "username.taken" });
  });

  it.each([
    ["username", "abc", "username"],
    ["username", "a".repeat(21), "username"],
    ["username", "clara 1", "username"],
    ["username", "clara-1", "username"],
    ["username", "clära", "username"],
    ["username", "ＣＬＡＲＡ", "username"],
    ["username", "", "required"],
    ["password", "1234567", "password"],
    ["password", "x".repeat(65), "password"],
    ["password", "", "required"],
    ["code", "", "required"],
    ["code", "wellcome", "invite"],
    ["code", "NOBODYS", "invite"],
  ] as const)("is refused for the %s %j and leaves no trace", async (field, value, reason) => {
    const before = await traces();
    const who = { code: INVITE, password: PASSWORD, lang: "ja_ja", [field]: value } as const;
    const { code, data } = await register(w, field === "username" ? value : "clara_1", who);
    expect([code, data]).toEqual([400, { fields: { [field]: messagesOf("ja_ja").field[reason] } }]);
    expect(await traces()).toEqual(before);
  });

  it.each(["dora", "d".repeat(20), "0123456789", "_d_o_"])("accepts %j as a name", async (username) => {
    expect((await register(w, username)).code).toBe(200);
  });

  it.each(["1234 5678", "xyz!".repeat(16), "密码真的很长呀呀", "🐎🔋📎🐎🔋📎🐎🔋"])(
    "accepts %j as a password",
    async (password) => {
      const name = `e_${Buffer.from(password).toString("hex").slice(0, 12)}`;
      expect((await register(w, name, { password })).code).toBe(200);
      expect((await logIn(w, name, password)).code).toBe(200);
    },
  );

  it("is refused with a taken name, and the invite is not used", async () => {
    await w.invite("ONCE-1", 1);
    await register(w, "frida_1");
    const before = await traces();
    const { code, data } = await register(w, "frida_1", { code: "ONCE-1" });
    expect([code, data]).toEqual([409, { reason: "username.taken" }]);
    expect(await traces()).toEqual(before);
  });

  it("stores no password, only its argon2id hash", async () => {
    await register(w, "gerda_1");
    const [member] = await w.deps.db.read.select().from(members).where(eq(members.username, "gerda_1"));
    expect(member!.passwordHash).toMatch(/^p1\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(w.logged.join("")).not.toContain(PASSWORD);
  });
});

describe("an invite", () => {
  it("admits as many as it says, and then no more", async () => {
    await w.invite("TWICE", 2);
    for (const name of ["hanna_1", "hanna_2"]) expect((await register(w, name, { code: "TWICE" })).code).toBe(200);
    expect(await leftOf("TWICE")).toBe(0);
    const { code, data } = await register(w, "hanna_3", { code: "TWICE", lang: "en_us" });
    expect([code, data]).toEqual([
      400,
      { fields: { code: "This invitation code is not valid: please check it, or ask the person who invited you" } },
    ]);
  });

  it("without a number admits everyone", async () => {
    for (let i = 1; i <= 3; i++) expect((await register(w, `ida_${i}`)).code).toBe(200);
    expect(await leftOf(INVITE)).toBeNull();
  });

  it("for one admits exactly one of ten concurrent requests", async () => {
    await w.invite("ONCE-2", 1);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => register(w, `jana_${i}`, { code: "ONCE-2" })),
    );
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    expect(await leftOf("ONCE-2")).toBe(0);
    const known = await w.deps.db.read.select().from(members);
    expect(known.filter(({ username }) => username.startsWith("jana_"))).toHaveLength(1);
  });

  it("is used once when two register one name at once", async () => {
    await w.invite("FIVE", 5);
    const replies = await Promise.all(["Klara_1", "klara_1"].map((name) => register(w, name, { code: "FIVE" })));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await leftOf("FIVE")).toBe(4);
  });
});
