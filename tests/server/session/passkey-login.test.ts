import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteOutdated } from "#server/jobs/retention.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { Authenticator, type Says } from "../../support/authenticator.ts";
import { lock, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { add, added, allKeys, allSpent, enter, logInWith, loginOptions, newsOf, upwards } from "./passkey-world.ts";

let w: World;
let mia: Player;
let key: Authenticator;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 50 });
  key = await added(mia);
});
afterEach(() => w.close());

const FAILED = { code: 422, data: { reason: "login.failed" } };

describe("a passkey", () => {
  it("logs its member in without a name, and opens a session that counts as proven", async () => {
    const asked = await loginOptions(w);
    expect(asked).toMatchObject({ rpId: "localhost", allowCredentials: [], userVerification: "required" });
    w.pass(MINUTE_MS);
    const { code, data } = await enter(w, key.answer(asked));
    expect([code, data.user.username, data.tokensso]).toEqual([200, "mia_1", ""]);
    expect((await w.call("/member/endSession", {}, { token: data.token })).code).toBe(200);
    expect((await allKeys(w))[0]).toMatchObject({ lastUsedAt: w.now() });
  });

  it("ends the other sessions where one is allowed, and a new device is told", async () => {
    await set(w, "single_session", "1");
    const { data } = await enter(w, key.answer(await loginOptions(w)), { "user-agent": "another" });
    expect((await mia.call("/member/getUserInfo")).code).toBe(10001);
    const again = { ...mia, call: (path: string) => w.call(path, undefined, { token: data.token }) };
    expect(await newsOf(again)).toEqual(["security.newDevice", "security.passkeyAdded"]);
  });

  it("lets a locked member in no more than a password does, and leaves no trace", async () => {
    const answer = key.answer(await loginOptions(w));
    await lock(w, mia.memberId, true);
    const before = await everything(w, ["attempts"]);
    expect(await enter(w, answer)).toMatchObject({ code: 403, data: { reason: "member.locked" } });
    expect(await everything(w, ["attempts"])).toEqual(before);
  });

  it("may have counted more than 31 bits hold", async () => {
    const many = new Authenticator({ counts: true });
    many.counter = 2 ** 32 - 10;
    await add(mia, many);
    expect((await logInWith(w, many)).code).toBe(200);
  });
});

describe("a log-in leaves no trace but its attempt", () => {
  const other = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const lies: [what: string, says: () => Says][] = [
    ["from another site's page", () => ({ origin: "http://evil.example" })],
    ["from another port of this machine", () => ({ origin: "http://localhost:8080" })],
    ["from another site's frame", () => ({ crossOrigin: true })],
    ["for another site", () => ({ rpId: "evil.example" })],
    ["with a challenge of their own", () => ({ challenge: Buffer.alloc(56).toString("base64url") })],
    ["with a challenge that is none", () => ({ challenge: "" })],
    ["with what makes a passkey", () => ({ type: "webauthn.create" })],
    ["by somebody whom nothing verified", () => ({ unverified: true })],
    ["while nobody was there", () => ({ absent: true })],
    ["with another key", () => ({ key: other() })],
    ["with a passkey that nobody has", () => ({ id: "AAAA" })],
    ["in nobody's name", () => ({ userHandle: undefined })],
    ["in another's name", () => ({ userHandle: Buffer.alloc(32).toString("base64url") })],
  ];

  it.each(lies)("%s", async (_what, says) => {
    const before = await everything(w, ["attempts"]);
    const { code, msg, data } = await logInWith(w, key, says());
    expect([code, data]).toEqual([422, { reason: "login.failed" }]);
    expect(msg).toMatch(/^Khóa truy cập này không được chấp nhận/);
    expect(await everything(w, ["attempts"])).toEqual(before);
  });

  it.each(["", "{}", "[]", "null", '{"id":"a"}', "\u0000", "x".repeat(8_001)])("in the form of %j", async (text) => {
    const before = await everything(w);
    const { code, fields } = await enter(w, text);
    expect([code, Object.keys(fields!)]).toEqual([400, ["passkey"]]);
    expect(await everything(w)).toEqual(before);
  });

  it("with a challenge of five minutes ago, or with one that a clock set back makes longer", async () => {
    const answer = key.answer(await loginOptions(w));
    w.jump(-1);
    expect(await enter(w, answer)).toMatchObject(FAILED);
    w.jump(1);
    w.pass(5 * MINUTE_MS);
    expect(await enter(w, answer)).toMatchObject(FAILED);
    const fresh = await loginOptions(w);
    w.pass(5 * MINUTE_MS - 1);
    expect((await enter(w, key.answer(fresh))).code).toBe(200);
  });

  it("with what was signed for a proof", async () => {
    const { data } = await mia.call("/member/passkeyProofOptions", { purpose: "prove" }, { method: "GET" });
    expect(await enter(w, key.answer(data))).toMatchObject(FAILED);
  });

  it("with a passkey that was removed", async () => {
    const asked = await loginOptions(w);
    await mia.call("/member/removePasskey", { id: "key_1" });
    expect(await enter(w, key.answer(asked))).toMatchObject(FAILED);
  });
});

describe("an answer", () => {
  it("logs in once, however many send it at the same time", async () => {
    const answer = key.answer(await loginOptions(w));
    const codes = (await Promise.all(Array.from({ length: 5 }, () => enter(w, answer)))).map(({ code }) => code);
    expect(codes.toSorted(upwards)).toEqual([200, 422, 422, 422, 422]);
    expect(await enter(w, answer)).toMatchObject(FAILED);
    expect(await allSpent(w)).toHaveLength(2);
  });

  it("with a count that another one has at the same time loses, whichever it is", async () => {
    const counting = await added(mia, { counts: true });
    const asked = await Promise.all(Array.from({ length: 4 }, () => loginOptions(w)));
    const codes = await Promise.all(
      asked.map(async (one) => (await enter(w, counting.answer(one, { counter: 7 }))).code),
    );
    expect(codes.toSorted(upwards)).toEqual([200, 422, 422, 422]);
  });

  it("of a copied authenticator is refused, written down, and told to the member", async () => {
    const counting = await added(mia, { counts: true });
    for (const counter of [5, 9]) expect((await logInWith(w, counting, { counter })).code).toBe(200);
    expect(await logInWith(w, counting, { counter: 9 })).toMatchObject(FAILED);
    expect((await newsOf(mia)).slice(0, 1)).toEqual(["security.passkeyCopied"]);
    for (const counter of [4, 0]) expect(await logInWith(w, counting, { counter })).toMatchObject(FAILED);
    expect((await allKeys(w)).map(({ counter }) => counter)).toEqual([0n, 9n]);
    expect((await newsOf(mia)).slice(0, 1)).toEqual(["security.passkeyCopied"]);
    expect(w.logged.filter((line) => line.includes('"security":"passkey.copied"'))).toHaveLength(1);
    expect((await logInWith(w, counting, { counter: 10 })).code).toBe(200);
  });

  it("is counted like a password: an address waits after fifty wrong ones, its regulars do not", async () => {
    await w.close();
    w = await world({ env: { RATE_LIMIT: "on" } });
    key = await added(await w.player("mia_1"));
    const stranger = new Authenticator();
    for (let i = 0; i < 50; i++) await logInWith(w, stranger);
    expect((await logInWith(w, stranger)).status).toBe(429);
    expect((await logInWith(w, key)).code).toBe(200);
  });

  it("makes no address wait where load is tested", async () => {
    const stranger = new Authenticator();
    for (let i = 0; i < 52; i++) expect(await logInWith(w, stranger)).toMatchObject(FAILED);
  });

  it("that never comes fills no table, however many challenges are asked for", async () => {
    const before = await everything(w);
    await Promise.all(Array.from({ length: 50 }, () => loginOptions(w)));
    expect(await everything(w)).toEqual(before);
  });

  it("is forgotten an hour after its challenge ended", async () => {
    await logInWith(w, key);
    w.pass(64 * MINUTE_MS);
    await deleteOutdated(w.deps.db, w.now(), 0);
    expect(await allSpent(w)).toHaveLength(2);
    w.pass(2 * MINUTE_MS);
    await deleteOutdated(w.deps.db, w.now(), 0);
    expect(await allSpent(w)).toHaveLength(0);
  });
});
