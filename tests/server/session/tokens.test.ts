import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessions } from "#db/schema/index.ts";
import { hashToken } from "#server/domains/session/tokens.ts";
import { bytesAtRest } from "../../support/at-rest.ts";
import { world, type World } from "../../support/world.ts";
import { INVITE, logIn, PASSWORD, register, whoIs } from "./people.ts";

let w: World;

beforeEach(async () => {
  w = await world();
  await w.invite(INVITE);
});
afterEach(() => w.close());

describe("a session token", () => {
  it("is 256 bits that no two sessions share", async () => {
    await register(w, "anna_1");
    const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await logIn(w, "anna_1")).data.token));
    expect(new Set(tokens)).toHaveProperty("size", 5);
    for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  it("is nowhere in the data folder or the log, nor is a password", async () => {
    const { data } = await register(w, "anna_1");
    const token = data.token;
    await whoIs(w, token);
    await logIn(w, "anna_1");
    const files = await bytesAtRest(w);
    const secrets = [token, Buffer.from(token).toString("base64"), Buffer.from(token, "base64url"), PASSWORD];
    for (const secret of secrets) expect(files.map((bytes) => bytes.includes(secret))).not.toContain(true);
    // The name is there, so these are the right bytes.
    expect(files.some((bytes) => bytes.includes("anna_1"))).toBe(true);
    expect(w.logged.join("\n")).not.toContain(token);
  });

  it("is accepted only exactly as issued", async () => {
    const { data } = await register(w, "anna_1");
    const token = data.token;
    for (const near of [token.slice(0, -1), `${token}A`, token.toLowerCase(), ` ${token}`, `${token}\n`]) {
      expect((await whoIs(w, near)).code).toBe(401);
    }
    const base64 = Buffer.from(token).toString("base64");
    for (const header of [
      token,
      `${base64}, ${base64}`,
      `${base64}${base64}`,
      `*${base64}`,
      `${base64.slice(0, 9)} ${base64.slice(9)}`,
    ]) {
      const near = await w.site.app.inject({ url: "/api/member/getUserInfo", headers: { token: header } });
      expect([header, near.json()]).toMatchObject([header, { code: 401 }]);
    }
    expect((await whoIs(w, token)).code).toBe(200);
  });

  it("that was unknown is accepted once its session has begun", async () => {
    const { data } = await register(w, "anna_1");
    const memberId = Number(data.user.id.slice("mem_".length));
    expect((await whoIs(w, "early")).code).toBe(401);
    const [createdAt, lastSeenAt] = [w.now(), w.now()];
    const session = { memberId, tokenHash: hashToken("early"), ip: "192.0.2.1", agent: "", createdAt, lastSeenAt };
    await w.deps.db.transact(async (tx) => void (await tx.insert(sessions).values(session)));
    expect((await whoIs(w, "early")).code).toBe(200);
  });
});
