import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writePasskey } from "#server/domains/session/add-passkey.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { Authenticator, type Says } from "../../support/authenticator.ts";
import { give } from "../../support/credentials.ts";
import { runCommand } from "../../support/run-command.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { add, added, allKeys, logInWith, newsOf, proofOptions, proveWith, upwards } from "./passkey-world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 1_000 });
});
afterEach(() => w.close());

const NEEDED = { code: 403, data: { reason: "proof.needed" } };
const WRONG = { code: 422, data: { reason: "passkey.wrong" } };
const listed = async ({ call }: Player, headers: Record<string, string> = {}) =>
  (await call("/member/passkeys", undefined, { headers, lang: "en_us" })).data;

describe("a new passkey", () => {
  it("is listed with its name and its use, begins the cooling time and is told", async () => {
    const key = new Authenticator();
    expect(await add(mia, key, {}, "  My phone ")).toMatchObject({ code: 200, data: { id: "key_1" } });
    const made = Math.floor(w.now() / 1_000);
    w.pass(MINUTE_MS);
    await proveWith(mia, key);
    const row = { id: "key_1", name: "My phone", site: "localhost", here: 1, synced: 0, created: made };
    expect(await listed(mia)).toEqual({
      offered: "yes",
      why: "",
      site: "localhost",
      most: 10,
      list: [{ ...row, last_used: made + 60 }],
    });
    expect((await allKeys(w))[0]).toMatchObject({ transports: "internal", memberId: mia.memberId });
    const { data } = await mia.call("/member/getUserWithdrawRole");
    expect(data.cooling_until_ms).toBe(w.now() - MINUTE_MS + 24 * HOUR_MS);
    expect(await newsOf(mia)).toEqual(["security.passkeyAdded"]);
    expect(w.logged.some((line) => line.includes('"security":"passkey.added"'))).toBe(true);
  });

  it("needs a fresh proof, to be asked for and to be added", async () => {
    const { data } = await mia.call("/member/passkeyAddOptions");
    w.pass(5 * MINUTE_MS - 1);
    const passkey = new Authenticator().make(data);
    w.pass(1);
    expect(await mia.call("/member/passkeyAddOptions")).toMatchObject(NEEDED);
    expect(await mia.call("/member/addPasskey", { passkey, name: "a" })).toMatchObject(NEEDED);
    expect(await allKeys(w)).toEqual([]);
  });

  const lies: [what: string, says: Says][] = [
    ["made on another site's page", { origin: "http://evil.example" }],
    ["made for another site", { rpId: "evil.example" }],
    ["made without looking who it is", { unverified: true }],
    ["that answers another challenge", { challenge: Buffer.alloc(56).toString("base64url") }],
    ["that is no new one", { type: "webauthn.get" }],
    ["with a certificate, which nobody asked for", { fmt: "packed", isCertified: true }],
    ["in a form that nobody asked for", { fmt: "android-safetynet" }],
  ];

  it.each(lies)("%s is refused without a trace", async (_what, says) => {
    const before = await everything(w);
    expect(await add(mia, new Authenticator(), says)).toMatchObject(WRONG);
    expect(await everything(w)).toEqual(before);
  });

  it("may be signed with its own key", async () => {
    expect((await add(mia, new Authenticator(), { fmt: "packed" })).code).toBe(200);
  });

  it("answers its member's own session, once", async () => {
    const tom = await w.player("tom_1");
    const asked = (await mia.call("/member/passkeyAddOptions")).data;
    const [one, other] = [new Authenticator(), new Authenticator()];
    expect(await tom.call("/member/addPasskey", { passkey: one.make(asked), name: "a" })).toMatchObject(WRONG);
    const send = (key: Authenticator) => mia.call("/member/addPasskey", { passkey: key.make(asked), name: "a" });
    const codes = (await Promise.all([one, other].map(send))).map(({ code }) => code);
    expect(codes.toSorted(upwards)).toEqual([200, 422]);
    expect(await allKeys(w)).toHaveLength(1);
  });

  it("that is known is nobody's second one, and is not asked for again", async () => {
    const key = await added(mia);
    const tom = await w.player("tom_1");
    expect(await add(tom, key)).toMatchObject({ code: 409, data: { reason: "passkey.known" } });
    const { data } = await mia.call("/member/passkeyAddOptions");
    expect(data.excludeCredentials).toEqual([{ id: key.id, type: "public-key", transports: ["internal"] }]);
  });

  it("is one of ten at most, however many come at once", async () => {
    for (let i = 0; i < 9; i++) await added(mia);
    // All are asked for first: the tenth, once there, lets nobody ask for another.
    const asked = await Promise.all(Array.from({ length: 4 }, () => mia.call("/member/passkeyAddOptions")));
    const made = asked.map(({ data }) => new Authenticator().make(data));
    const codes = (
      await Promise.all(made.map((passkey) => mia.call("/member/addPasskey", { passkey, name: "a" })))
    ).map(({ code }) => code);
    expect(codes.toSorted(upwards)).toEqual([200, 422, 422, 422]);
    expect(await mia.call("/member/passkeyAddOptions")).toMatchObject({ data: { reason: "passkey.many" } });
    expect(await allKeys(w)).toHaveLength(10);
  });

  it("is one of ten at most, whichever server adds it", async () => {
    for (let i = 0; i < 9; i++) await added(mia);
    const { db } = w.deps;
    const key = { publicKey: "a", counter: 0n, rpId: "localhost", transports: "", synced: false };
    const write = (name: string) => {
      const genuine = { row: { ...key, credentialId: name }, challenge: { hash: name, expiresAt: w.now() } };
      return db.transact((tx) => writePasskey(tx, w.deps, mia.memberId, { ...genuine, name }));
    };
    const ends = await Promise.allSettled(["a", "b", "c", "d"].map(write));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await allKeys(w)).toHaveLength(10);
  });

  it("is added once under one idempotency key", async () => {
    const { data } = await mia.call("/member/passkeyAddOptions");
    const sent = { passkey: new Authenticator().make(data), name: "My phone" };
    const ask = () => mia.call("/member/addPasskey", sent, { key: "k1" });
    expect([(await ask()).data, (await ask()).data]).toEqual([{ id: "key_1" }, { id: "key_1" }]);
    expect(await allKeys(w)).toHaveLength(1);
  });

  it.each(["", "   ", "x".repeat(41), "a\u202eb"])("is not called %j", async (name) => {
    const { code, fields } = await add(mia, new Authenticator(), {}, name);
    expect([code, Object.keys(fields!)]).toEqual([400, ["name"]]);
  });
});

describe("where the site is reached", () => {
  it("by an IP address, none is offered, and the list says why", async () => {
    await added(mia);
    const headers = { host: "127.0.0.1:3000" };
    const { offered, why, site, list } = await listed(mia, headers);
    expect([offered, site, list[0]!.here]).toEqual(["address", "", 0]);
    expect(why).toBe("Passkeys do not work at an IP address. Please open this site by its name.");
    const refused = ["/member/passkeyLoginOptions", "/member/passkeyAddOptions"];
    for (const path of refused) {
      const { code, data } = await mia.call(path, undefined, { headers });
      expect([code, data]).toEqual([403, { reason: "passkey.address" }]);
    }
    expect((await mia.call("/member/security", undefined, { headers })).data.passkey).toBe(0);
    expect((await mia.call("/member/security")).data.passkey).toBe(1);
  });
});

describe("a passkey proves who the member is", () => {
  it("once for each challenge, and in its own session alone", async () => {
    const key = await added(mia);
    w.pass(HOUR_MS);
    expect(await mia.call("/member/endSession", {})).toMatchObject(NEEDED);
    const asked = await proofOptions(mia, "prove");
    expect(asked.allowCredentials.map(({ id }) => id)).toEqual([key.id]);
    const passkey = key.answer(asked);
    const session = (await logInWith(w, key)).data.token;
    expect(await w.call("/member/prove", { passkey }, { token: session })).toMatchObject(WRONG);
    expect((await mia.call("/member/prove", { passkey })).code).toBe(200);
    expect(await mia.call("/member/prove", { passkey })).toMatchObject(WRONG);
    expect((await mia.call("/member/removePasskey", { id: "key_1" })).code).toBe(200);
  });

  const lies: [what: string, says: Says][] = [
    ["for a withdrawal", {}],
    ["unverified", { unverified: true }],
    ["elsewhere", { origin: "https://localhost" }],
  ];
  it.each(lies)("but not when it answered %s", async (what, says) => {
    const key = await added(mia);
    w.pass(HOUR_MS);
    const before = await everything(w);
    const asked = await proofOptions(mia, what === "for a withdrawal" ? "withdraw" : "prove");
    expect(await mia.call("/member/prove", { passkey: key.answer(asked, says) })).toMatchObject(WRONG);
    expect(await everything(w)).toEqual(before);
    expect(w.logged.some((line) => line.includes('"security":"passkey.failed"'))).toBe(true);
  });

  it("and nobody else: another member's passkey does not do it", async () => {
    await added(mia);
    const tom = await w.player("tom_1");
    const his = await added(tom);
    expect(await proveWith(mia, his)).toMatchObject(WRONG);
    expect(await proveWith(mia, his, { userHandle: undefined })).toMatchObject(WRONG);
  });

  it("and is asked for where it is all that the member has", async () => {
    expect(await mia.call("/member/passkeyProofOptions", { purpose: "prove" }, { method: "GET" })).toMatchObject({
      data: { reason: "passkey.missing" },
    });
    await added(mia);
    expect(Object.keys((await mia.call("/member/prove", {})).fields!)).toEqual(["passkey"]);
  });
});

describe("a withdrawal", () => {
  const BANK = { bankid: "123456789", bank: "ACB", bank_code: "vn_acb", username: "Mia Tran", mobile: "" };
  const withdraw = async (key: Authenticator, says: Says = {}) =>
    mia.call("/member/setUserWirhdraw", {
      money: "100",
      passkey: key.answer(await proofOptions(mia, "withdraw"), says),
    });

  it("is asked for with a passkey by a member without a passcode, who links a bank without one too", async () => {
    expect(await mia.call("/member/setBank", BANK)).toMatchObject({ data: { reason: "passcode.missing" } });
    const key = await added(mia);
    expect((await mia.call("/member/setBank", BANK)).code).toBe(200);
    const asked = await proofOptions(mia, "withdraw");
    const sent = { money: "100", passkey: key.answer(asked) };
    const both = await Promise.all([1, 2].map(() => mia.call("/member/setUserWirhdraw", sent)));
    expect(both.map(({ code }) => code).toSorted(upwards)).toEqual([200, 422]);
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("900.00");
  });

  it("sent again under its key is one, and a lost answer is found again", async () => {
    const key = await added(mia);
    await mia.call("/member/setBank", BANK);
    const sent = { money: "100", passkey: key.answer(await proofOptions(mia, "withdraw")) };
    const ask = async () => (await mia.call("/member/setUserWirhdraw", sent, { key: "w1" })).data;
    expect(await ask()).toEqual(await ask());
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("900.00");
  });

  it("with a wrong answer, a right passcode beside it, or neither takes nothing", async () => {
    const key = await added(mia);
    await give(w, mia.memberId, { pin: "246810" });
    await mia.call("/member/setBank", BANK);
    expect(await withdraw(key, { unverified: true })).toMatchObject(WRONG);
    const passkey = key.answer(await proofOptions(mia, "prove"));
    expect(await mia.call("/member/setUserWirhdraw", { money: "100", passkey, paypwd: "246810" })).toMatchObject(WRONG);
    const { code, fields } = await mia.call("/member/setUserWirhdraw", { money: "100" });
    expect([code, Object.keys(fields!)]).toEqual([400, ["paypwd"]]);
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("1000.00");
  });
});

describe("a member keeps their passkeys", () => {
  it("renames and removes their own, which is told, and nobody else's", async () => {
    await added(mia);
    const tom = await w.player("tom_1");
    for (const id of ["key_1", "key_9", "1", "key_0"]) {
      expect((await tom.call("/member/renamePasskey", { id, name: "Mine" })).code).toBe(404);
      expect((await tom.call("/member/removePasskey", { id })).code).toBe(404);
    }
    expect((await mia.call("/member/renamePasskey", { id: "key_1", name: "Laptop" })).code).toBe(200);
    expect((await listed(mia)).list[0]!.name).toBe("Laptop");
    w.pass(5 * MINUTE_MS);
    expect(await mia.call("/member/removePasskey", { id: "key_1" })).toMatchObject(NEEDED);
    await give(w, mia.memberId, { pin: "246810" });
    await mia.call("/member/prove", { passcode: "246810" });
    expect((await mia.call("/member/removePasskey", { id: "key_1" })).code).toBe(200);
    expect((await listed(mia)).list).toEqual([]);
    expect((await newsOf(mia))[0]).toBe("security.passkeyRemoved");
  });

  it("is given no number again that a removed one had", async () => {
    await added(mia);
    await mia.call("/member/removePasskey", { id: "key_1" });
    expect((await add(mia, new Authenticator())).data).toEqual({ id: "key_2" });
  });

  it("loses all of them, a thief's too, when the operator resets the password", async () => {
    const key = await added(mia);
    const { exit, out } = await runCommand(w.env, ["member:reset-password", "mia_1", "--reason", "stolen"]);
    expect([exit, out]).toEqual([0, expect.stringContaining("1 passkey was removed") as string]);
    expect((await logInWith(w, key)).code).toBe(422);
    expect(await allKeys(w)).toEqual([]);
  });

  it("finds them in the export of their data, without their keys", async () => {
    await added(mia);
    const secrets = (await allKeys(w)).flatMap(({ publicKey, credentialId }) => [publicKey, credentialId]);
    const { payload } = await w.site.app.inject({
      url: "/api/member/export?format=json",
      headers: { token: Buffer.from(mia.token).toString("base64") },
    });
    expect(payload).toContain("My phone");
    expect(secrets.filter((secret) => payload.includes(secret))).toEqual([]);
  });
});
