import { randomBytes } from "node:crypto";
import { importJWK, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { masterKey } from "#server/config/keys.ts";
import { encryptPush, Vapid } from "#server/domains/push/encrypt.ts";
import { isPublic, publicLookup, serviceOf } from "#server/domains/push/hosts.ts";
import { PushReceiver } from "../../support/push-server.ts";

const SAID = "When I grow up, I want to be a watermelon";
/** RFC 8291, section 5. */
const RFC = {
  key: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

describe("an encrypted message", () => {
  it("is read by the receiver, who also reads the one of RFC 8291", () => {
    const receiver = new PushReceiver(RFC.key, RFC.auth);
    expect(receiver.decrypt(Buffer.from(RFC.body, "base64url"))).toBe(SAID);
    expect(receiver.decrypt(encryptPush(Buffer.from(SAID), receiver.keys, randomBytes))).toBe(SAID);
  });

  it("is one record whose length tells little, and nobody else reads it", () => {
    const [receiver, other] = [new PushReceiver(), new PushReceiver()];
    const lengths = [0, 40, 511, 512, 3_000].map((bytes) => {
      const body = encryptPush(Buffer.alloc(bytes, "x"), receiver.keys, randomBytes);
      expect(receiver.decrypt(body)).toHaveLength(bytes);
      expect(() => other.decrypt(body)).toThrow(/unable to authenticate/);
      return body.length;
    });
    expect(lengths).toEqual([512, 512, 1_024, 1_024, 3_072].map((padded) => 86 + padded + 16));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4_096);
  });

  it("has a key and a salt of its own", () => {
    const receiver = new PushReceiver();
    const heads = [1, 2].map(() => encryptPush(Buffer.from(SAID), receiver.keys, randomBytes).subarray(0, 86));
    expect(heads[0]).not.toEqual(heads[1]);
  });

  it("takes the next random number when one is no key of the curve", () => {
    const numbers = [Buffer.alloc(32), Buffer.alloc(32, 255)];
    const random = (bytes: number) => (bytes === 32 && numbers.shift()) || randomBytes(bytes);
    const receiver = new PushReceiver();
    expect(receiver.decrypt(encryptPush(Buffer.from(SAID), receiver.keys, random))).toBe(SAID);
    expect(numbers).toEqual([]);
  });
});

describe("the site's signature", () => {
  const keyOf = (byte: number) => masterKey(new Uint8Array(32).fill(byte), { version: 1, fromDay: 0 });
  const service = new URL("https://push.example/send/1");
  const now = Date.now();

  it("is verified by the public key alone, and names whom it is for and until when", async () => {
    const vapid = new Vapid(keyOf(7), "https://club.example/app");
    const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(vapid.header(service, now))!;
    const point = Buffer.from(key!, "base64url");
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
    const jwk = await importJWK({ kty: "EC", crv: "P-256", x: x!, y: y! }, "ES256");
    const { payload } = await jwtVerify(token!, jwk, { audience: "https://push.example" });
    expect(payload).toMatchObject({ sub: "https://club.example", exp: Math.floor(now / 1_000) + 12 * 3_600 });
  });

  it("has the same key as long as the master key is the same", () => {
    const publicOf = (byte: number) => new Vapid(keyOf(byte), "http://localhost").publicKey;
    expect(publicOf(7)).toBe(new Vapid(keyOf(7), "https://club.example").publicKey);
    expect(new Set([1, 2, 3].map(publicOf)).size).toBe(3);
  });

  it("has a key for every master key, those with zeros at the beginning too", () => {
    for (let byte = 0; byte < 256; byte++)
      expect(() => new Vapid(keyOf(byte), "http://localhost").header(service, now)).not.toThrow();
  });
});

describe("an address for messages", () => {
  const isTaken = (endpoint: string) => serviceOf({ pushServices: ["http://127.0.0.1:9"] }, endpoint) !== null;

  it.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://eu.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-by3p.notify.windows.com/w/?token=abc",
    "http://127.0.0.1:9/abc",
  ])("%s is of a push service", (endpoint) => {
    expect(isTaken(endpoint)).toBe(true);
  });

  it.each([
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/fcm/send/abc",
    "https://user@fcm.googleapis.com/abc",
    "https://user:word@fcm.googleapis.com/abc",
    "https://fcm.googleapis.com.evil.example/abc",
    "https://evilnotify.windows.com/abc",
    "https://notify.windows.com/abc",
    "https://sub.fcm.googleapis.com/abc",
    "https://127.0.0.1/abc",
    "https://10.0.0.1/abc",
    "https://[::1]/abc",
    "https://localhost/abc",
    "http://127.0.0.1:10/abc",
    "http://127.0.0.1/abc",
    "file:///etc/passwd",
    "no address",
  ])("%s is not", (endpoint) => {
    expect(isTaken(endpoint)).toBe(false);
  });
});

describe("the addresses behind a name", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
  ])("%s is not of the internet", (address) => {
    expect(isPublic(address)).toBe(false);
  });
  it.each([
    "::1",
    "::",
    "fc00::1",
    "fe80::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001:db8::1",
    "ff02::1",
  ])("%s neither", (address) => {
    expect(isPublic(address)).toBe(false);
  });
  it.each(["8.8.8.8", "172.32.0.1", "2606:4700::1"])("%s is", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  const look = (addresses: string[], all: boolean) =>
    new Promise<unknown>((resolve) => {
      const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      publicLookup((_name, done) => done(null, found))("push.example", { all }, (error, address) =>
        resolve(error?.message ?? address),
      );
    });

  it("are refused if one of them is not, and otherwise used as they were checked", async () => {
    expect(await look(["8.8.8.8", "10.0.0.1"], true)).toMatch(/not an address of the internet/);
    expect(await look([], true)).toMatch(/not an address of the internet/);
    expect(await look(["8.8.8.8"], true)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(await look(["8.8.8.8", "2606:4700::1"], false)).toBe("8.8.8.8");
  });
});
