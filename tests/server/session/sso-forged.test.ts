import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { set } from "../../support/operator.ts";
import { hmac, SSO_SECRET, ticketFor } from "../../support/partner.ts";
import { type World } from "../../support/world.ts";
import { enter, partnerWorld, traces } from "./partner-world.ts";

let w: World;
let answers: Set<string>;
let address = 0;

beforeAll(async () => {
  w = await partnerWorld();
  await w.player("mia_1");
  answers = new Set();
});
afterAll(() => w.close());

type Forgery = Parameters<typeof ticketFor>[2];

const nowS = () => Math.floor(w.now() / 1000);
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = publicKey.export({ type: "spki", format: "pem" });

/** Shows a ticket from a new address. Returns the answer's code, and whether a trace was left. */
async function show(sso: string, username = "mia_1"): Promise<[number, "a trace" | "no trace"]> {
  const before = await traces(w);
  const { code, text } = await enter(w, username, sso, `198.51.100.${++address % 250}`);
  answers.add(text);
  return [code, isDeepStrictEqual(await traces(w), before) ? "no trace" : "a trace"];
}

const REFUSED = [422, "no trace"];

describe("a ticket logs nobody in", () => {
  it.each<[string, () => Forgery]>([
    ["is signed with another secret", () => ({ sign: hmac("sha256", `${SSO_SECRET}!`) })],
    ["is signed with nothing", () => ({ sign: hmac("sha256", "") })],
    ["is not signed at all (alg none)", () => ({ header: { alg: "none" }, sign: () => Buffer.alloc(0) })],
    ["says none and is signed", () => ({ header: { alg: "none" } })],
    [
      "is signed with RS256",
      () => ({ header: { alg: "RS256" }, sign: (s) => sign("sha256", Buffer.from(s), privateKey) }),
    ],
    ["takes a public key for the secret", () => ({ sign: (s) => createHmac("sha256", publicPem).update(s).digest() })],
    ["is signed with HS512", () => ({ header: { alg: "HS512" }, sign: hmac("sha512", SSO_SECRET) })],
    ["is signed with HS384", () => ({ header: { alg: "HS384" }, sign: hmac("sha384", SSO_SECRET) })],
    ["says HS512 and is signed with HS256", () => ({ header: { alg: "HS512" } })],
    ["brings a key of its own", () => ({ header: { jwk: { kty: "oct", k: "AA" } }, sign: hmac("sha256", "\0") })],
    ["is of another type", () => ({ header: { typ: "at+jwt" } })],
    ["has a critical header that nobody knows", () => ({ header: { crit: ["x"], x: 1 } })],
    ["is not encoded", () => ({ header: { crit: ["b64"], b64: false } })],
    ["is good for too long", () => ({ claims: { exp: nowS() + 61 } })],
    ["was good for too long", () => ({ claims: { iat: nowS() - 30, exp: nowS() + 31 } })],
    ["is good for ever", () => ({ claims: { exp: 1e308 } })],
    ["has expired this very second", () => ({ claims: { iat: nowS() - 60, exp: nowS() } })],
    ["has expired", () => ({ claims: { iat: nowS() - 100, exp: nowS() - 40 } })],
    ["is from the future", () => ({ claims: { iat: nowS() + 2, exp: nowS() + 32 } })],
    ["is not good yet", () => ({ claims: { nbf: nowS() + 5 } })],
    ["has no jti", () => ({ claims: { jti: undefined } })],
    ["has an empty jti", () => ({ claims: { jti: "" } })],
    ["has a jti that is no text", () => ({ claims: { jti: 7 } })],
    ["has no sub", () => ({ claims: { sub: undefined } })],
    ["has no iat", () => ({ claims: { iat: undefined } })],
    ["has no exp", () => ({ claims: { exp: undefined } })],
    ["has times that are text", () => ({ claims: { iat: `${nowS()}`, exp: `${nowS() + 60}` } })],
    ["is somebody else's", () => ({ claims: { sub: "ben_1" } })],
    ["is for several", () => ({ claims: { sub: ["mia_1"] } })],
  ])("when it %s", async (_, forge) => {
    expect(await show(ticketFor("mia_1", w.now(), forge()))).toEqual(REFUSED);
  });

  it("when it is not a ticket at all, or is surrounded by other text", async () => {
    const good = ticketFor("mia_1", w.now());
    const [head, body, signature] = good.split(".") as [string, string, string];
    const broken = [
      "x",
      "..",
      "a.b.c",
      `${head}.${body}.`,
      `${head}.${body}`,
      `${good}.${signature}`,
      `${good} `,
      ` ${good}`,
      `${good}=`,
      `${head}.${body}.${signature.slice(0, -2)}`,
      `${head}.${Buffer.from('{"sub":"mia_1"}').toString("base64url")}.${signature}`,
      `${Buffer.from("null").toString("base64url")}.${body}.${signature}`,
    ];
    for (const sso of broken) expect([sso, ...(await show(sso))]).toEqual([sso, ...REFUSED]);
    // The genuine ticket below these is still unused.
    expect((await enter(w, "mia_1", good)).code).toBe(200);
  });

  it.each(["abc", "a".repeat(21), "mia-1", "mia 1", "mía_1", "__proto__.x"])(
    "when it is for %s, which is no valid name",
    async (username) => {
      expect(await show(ticketFor(username, w.now()), username)).toEqual(REFUSED);
    },
  );

  it("while the site has no secret, however it is signed", async () => {
    await set(w, "sso_secret", "");
    for (const secret of ["", SSO_SECRET])
      expect(await show(ticketFor("mia_1", w.now(), { sign: hmac("sha256", secret) }))).toEqual(REFUSED);
    await set(w, "sso_secret", SSO_SECRET);
  });

  it("and no answer says why: all refusals are identical", () => {
    expect(answers.size).toBe(1);
  });
});

it("for another site than ours logs nobody in", async () => {
  const aud = ["https://other.example", "club"];
  expect((await enter(w, "mia_1", ticketFor("mia_1", w.now(), { claims: { aud } }))).code).toBe(422);
});

it("without a site logs nobody in where the operator wants one", async () => {
  const aud = new URL(w.deps.publicUrl).origin;
  const codes = async () => [
    (await enter(w, "mia_1", ticketFor("mia_1", w.now()))).code,
    (await enter(w, "mia_1", ticketFor("mia_1", w.now(), { claims: { aud } }))).code,
  ];
  await set(w, "sso_audience", "1");
  expect(await codes()).toEqual([422, 200]);
  await set(w, "sso_audience", "0");
  expect(await codes()).toEqual([200, 200]);
});

describe("a ticket logs in", () => {
  it.each<[string, () => Forgery]>([
    ["without a type", () => ({ header: { typ: undefined } })],
    ["with a type in small letters", () => ({ header: { typ: "jwt" } })],
    ["from a clock that is a second ahead", () => ({ claims: { iat: nowS() + 1, exp: nowS() + 61 } })],
    ["in its last second", () => ({ claims: { iat: nowS() - 59, exp: nowS() + 1 } })],
    ["with more in it than is asked for", () => ({ claims: { aud: new URL(w.deps.publicUrl).origin, name: "Mia" } })],
  ])("%s", async (_, forge) => {
    expect((await enter(w, "mia_1", ticketFor("mia_1", w.now(), forge()))).code).toBe(200);
  });
});
