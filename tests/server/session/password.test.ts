import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMember } from "#server/domains/account/find-member.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { INVITE, logIn, PASSWORD, register, whoIs } from "./people.ts";

const NEXT = "battery staple";

let w: World;
let memberId: number;
let token: string;

beforeEach(async () => {
  w = await world({ env: { RATE_LIMIT: "off" } });
  await w.invite(INVITE);
  const { data } = await register(w, "anna_1");
  token = data.token;
  memberId = Number(data.user.id.slice("mem_".length));
});
afterEach(() => w.close());

interface Change {
  old?: string;
  next?: string;
  by?: string;
  key?: string;
  method?: "GET" | "POST";
}

function change({ old = PASSWORD, next = NEXT, by = token, key, method = "POST" }: Change = {}) {
  const form = new URLSearchParams({ old_password: old, new_password: next }).toString();
  const path = "/member/setLoginPassword";
  const asked = method === "GET" ? { path: `${path}?${form}` } : { path, payload: form };
  return send(w, { method, ...asked, token: by, ...(key !== undefined && { key }) });
}
const stored = async () => (await readMember(w.deps.db.read, memberId)).passwordHash;
const codeOf = async (token: string) => (await whoIs(w, token)).code;
const newToken = async (password = PASSWORD) => (await logIn(w, "anna_1", password)).data.token;
const answer = ({ status, code, reason }: Reply) => [status, code, reason];

describe("changing the login password", () => {
  it.each(["GET", "POST"] as const)("by %s keeps this session and ends the member's others", async (method) => {
    const [other, stranger] = [await newToken(), (await register(w, "berta_1")).data.token];
    expect(await change({ method })).toMatchObject({ code: 200, data: null });
    expect([await codeOf(token), await codeOf(other), await codeOf(stranger)]).toEqual([200, 401, 200]);
    expect((await logIn(w, "anna_1", PASSWORD)).code).toBe(422);
    expect((await logIn(w, "anna_1", NEXT)).code).toBe(200);
  });

  it("keeps both passwords out of the log and the database", async () => {
    await change({ method: "GET" });
    await change({ old: "wrong secret", method: "GET" });
    await change({ old: NEXT, next: "short", method: "GET" });
    expect(w.logged.join("\n")).not.toMatch(/correct|battery|wrong secret/);
    expect(await stored()).toMatch(/^p1\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("is refused with a wrong one, and nothing has happened", async () => {
    const [before, other] = [await stored(), await newToken()];
    expect(answer(await change({ old: "guess" }))).toEqual([200, 422, "password.wrong"]);
    expect([await stored(), await codeOf(other)]).toEqual([before, 200]);
  });

  it("is refused to a member without a password", async () => {
    const mia = await w.player("mia_1");
    expect(answer(await change({ by: mia.token }))).toEqual([200, 422, "password.none"]);
  });

  it("is refused when the new one is too short, before the old one is checked", async () => {
    for (let i = 0; i < 7; i++) expect((await change({ old: "guess", next: "1234567" })).code).toBe(400);
    expect((await change()).code).toBe(200);
  });

  it("succeeds once among concurrent requests; the others have the wrong password", async () => {
    const tokens = await Promise.all(Array.from({ length: 3 }, () => newToken()));
    const replies = await Promise.all(tokens.map((by, i) => change({ by, next: `battery ${i}` })));
    const winner = replies.findIndex(({ code }) => code === 200);
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(await Promise.all(tokens.map(codeOf))).toEqual(tokens.map((_, i) => (i === winner ? 200 : 401)));
    expect((await logIn(w, "anna_1", `battery ${winner}`)).code).toBe(200);
  });

  it("is done once with one key, and a retry gets the same answer", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => change({ key: "tap" })));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect((await change({ key: "tap" })).code).toBe(200);
    expect(answer(await change({ key: "tap", next: "another one" }))).toEqual([200, 409, "key.reused"]);
  });
});

describe("guessing the password within a session", () => {
  const guessOften = async (times: number) => {
    for (let i = 0; i < times; i++)
      expect(answer(await change({ old: "guess" }))).toEqual([200, 422, "password.wrong"]);
  };

  it("is limited as it is for logins", async () => {
    await guessOften(5);
    const refused = await change();
    expect([answer(refused), refused.headers["retry-after"]]).toEqual([[429, 429, "login.locked"], "15"]);
    w.pass(15 * SECOND_MS);
    expect((await change()).code).toBe(200);
  });

  it("counts together with logins", async () => {
    for (let i = 0; i < 3; i++) await logIn(w, "anna_1", "guess");
    await guessOften(2);
    expect((await change()).code).toBe(429);
    expect((await logIn(w, "anna_1")).code).toBe(429);
  });

  it.each([
    ["/member/prove", (password: string) => ({ password })],
    ["/member/setLoginPassword", (password: string) => ({ old_password: password, new_password: NEXT })],
  ])("by %s is limited wherever the token is used", async (path, form) => {
    const from = (i: number) => (i % 2 === 0 ? `198.51.100.${i}` : `2001:db8:1:${i}::1`);
    const ask = (i: number, password: string, by = token) =>
      send(w, {
        path,
        payload: new URLSearchParams(form(password)).toString(),
        token: by,
        remoteAddress: from(i),
      });
    const other = await newToken();
    for (let i = 0; i < 5; i++) expect(answer(await ask(i, "guess"))).toEqual([200, 422, "password.wrong"]);
    for (let i = 5; i < 8; i++) expect(answer(await ask(i, PASSWORD))).toEqual([429, 429, "login.locked"]);
    w.pass(15 * SECOND_MS);
    expect(answer(await ask(8, "guess"))).toEqual([200, 422, "password.wrong"]);
    expect((await ask(9, PASSWORD)).headers["retry-after"]).toBe("30");
    expect((await ask(9, PASSWORD, other)).code).toBe(200);
  });

  it("is forgiven by the right one", async () => {
    await guessOften(4);
    expect((await change()).code).toBe(200);
    await guessOften(4);
    expect((await change({ old: "battery staple", next: PASSWORD })).code).toBe(200);
  });
});
