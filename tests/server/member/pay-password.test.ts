import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attempts } from "#db/schema/session.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { give } from "../../support/credentials.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { messagesOf } from "../http/endpoints.ts";

const PIN = "246810";

let w: World;
let mia: Player;

beforeEach(async () => {
  // Guessing is limited even where the rate limit is off.
  w = await world({ env: { RATE_LIMIT: "off" } });
  mia = await w.player("mia_1");
  await set(w, "edit_paypwd", "1");
});
afterEach(() => w.close());

const stored = async () => (await readMember(w.deps.db.read, mia.memberId)).payPinHash;
const tries = () => w.deps.db.read.select().from(attempts);
const isPin = async (pin: string) => new Passwords(w.deps.keys).verify(await stored(), pin, OPERATOR);
const setPin = (paypassword: string, key?: string) =>
  mia.call("/member/setPayPassword", { paypassword }, key === undefined ? {} : { key });
const edit = (oldpaypwd: string, paypassword = "135790", key?: string) =>
  mia.call("/member/editPayPassword", { oldpaypwd, paypassword }, key === undefined ? {} : { key });
const answer = ({ status, code, reason }: Reply) => [status, code, reason];
const codes = (replies: { code: number }[]) => replies.map(({ code }) => code).toSorted((a, b) => a - b);

describe("setting the pay password", () => {
  it("stores its argon2id hash alone, and shows the member that there is one", async () => {
    expect((await mia.call("/member/getUserInfo")).data.paypassword).toBe(0);
    expect(await setPin("012346")).toMatchObject({ code: 200, data: null });
    expect((await mia.call("/member/getUserInfo")).data.paypassword).toBe(1);
    expect(await stored()).toMatch(/^p1\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await isPin("012346")).toBe(true);
    expect(w.logged.join("\n")).not.toContain("012346");
  });

  it("is possible once", async () => {
    await setPin(PIN);
    const before = await stored();
    expect(answer(await setPin("135790"))).toEqual([200, 409, "passcode.set"]);
    expect(await stored()).toBe(before);
  });

  it("succeeds once among concurrent requests", async () => {
    const replies = await Promise.all(["111112", "222223", "333334", "444445"].map((pin) => setPin(pin)));
    expect(codes(replies)).toEqual([200, 409, 409, 409]);
  });

  it("is done once with one key, and a retry gets the same answer", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => setPin(PIN, "tap")));
    expect(codes(replies)).toEqual([200, 200, 200, 200, 200]);
    expect(answer(await setPin("135790", "tap"))).toEqual([200, 409, "key.reused"]);
  });
});

describe("changing the pay password", () => {
  beforeEach(() => give(w, mia.memberId, { pin: PIN }));

  it("needs the current one", async () => {
    expect(await edit(PIN)).toMatchObject({ code: 200, data: null });
    expect(await isPin("135790")).toBe(true);
    expect(answer(await edit(PIN))).toEqual([200, 422, "passcode.wrong"]);
    expect(await isPin("135790")).toBe(true);
  });

  it("is refused while the house does not allow it, even with the right one", async () => {
    await set(w, "edit_paypwd", "0");
    const before = await stored();
    expect(answer(await edit(PIN))).toEqual([200, 403, "feature.off"]);
    expect(answer(await edit("000000"))).toEqual([200, 403, "feature.off"]);
    expect((await edit(PIN)).msg).toBe(w.deps.text("vn_vn", "refusal.feature.passcode"));
    expect([await stored(), await tries()]).toEqual([before, []]);
  });

  it("is refused before there is one", async () => {
    const ben = await w.player("ben_1");
    const { code, data } = await ben.call("/member/editPayPassword", { oldpaypwd: PIN, paypassword: PIN });
    expect([code, data, await tries()]).toEqual([422, { reason: "passcode.missing" }, []]);
  });

  it("is one change however often the same request is sent", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => edit(PIN, "135790", "tap")));
    expect(new Set(codes(replies))).toEqual(new Set([200]));
    expect((await edit(PIN, "135790", "tap")).code).toBe(200);
    expect([await isPin("135790"), await tries()]).toEqual([true, []]);
  });

  it("does not lock a member who is right many times at once", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => edit(PIN, PIN)));
    expect(new Set(codes(replies))).toEqual(new Set([200]));
  });
});

describe("guessing a pay password", () => {
  beforeEach(() => give(w, mia.memberId, { pin: PIN }));
  const guess = async (times: number) => {
    for (let i = 0; i < times; i++) expect(answer(await edit("000000"))).toEqual([200, 422, "passcode.wrong"]);
  };
  const LOCKED = [429, 429, "passcode.locked"];

  it("locks it for fifteen minutes after five wrong ones in a row, the right one included", async () => {
    await guess(5);
    const before = await stored();
    const refused = await edit(PIN);
    expect([answer(refused), refused.headers["retry-after"]]).toEqual([LOCKED, "900"]);
    w.pass(15 * MINUTE_MS - SECOND_MS);
    expect((await edit(PIN)).headers["retry-after"]).toBe("1");
    expect(await stored()).toBe(before);
    w.pass(SECOND_MS);
    expect((await edit(PIN)).code).toBe(200);
  });

  it("says in the caller's language how long it is locked", async () => {
    await guess(5);
    const input = { oldpaypwd: PIN, paypassword: PIN };
    const { msg } = await mia.call("/member/editPayPassword", input, { lang: "ko_kr" });
    expect(msg).toBe(messagesOf("ko_kr").refusal.passcode!.locked!.replace("{{minutes}}", "15"));
  });

  it("starts again after a lock, and locks again", async () => {
    await guess(5);
    w.pass(15 * MINUTE_MS);
    await guess(5);
    expect(answer(await edit(PIN))).toEqual(LOCKED);
  });

  it("is forgiven by a right one", async () => {
    await guess(4);
    expect((await edit(PIN, PIN)).code).toBe(200);
    await guess(4);
    expect((await edit(PIN, PIN)).code).toBe(200);
    expect(await tries()).toEqual([]);
  });

  it("is limited when many come at once", async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => edit("000000")));
    expect(codes(replies)).toEqual([...Array(5).fill(422), ...Array(25).fill(429)]);
  });

  it("is limited where requests do not queue", async () => {
    const passwords = new Passwords(w.deps.keys);
    const one = () => verifyPasscode(w.deps, passwords, mia.memberId, "000000").catch(({ reason }) => reason as string);
    const reasons = await Promise.all(Array.from({ length: 30 }, one));
    expect(reasons.filter((reason) => reason === "passcode.wrong")).toHaveLength(5);
  });

  it("is not forgotten after a restart", async () => {
    await guess(5);
    await w.restart();
    expect(answer(await edit(PIN))).toEqual(LOCKED);
  });

  it("locks no other member", async () => {
    await guess(5);
    const ben = await w.player("ben_1");
    await give(w, ben.memberId, { pin: PIN });
    expect((await ben.call("/member/editPayPassword", { oldpaypwd: PIN, paypassword: PIN })).code).toBe(200);
  });
});

describe("the stored request of a call with a pay password", () => {
  it("cannot be guessed without the master key", async () => {
    const { createHash } = await import("node:crypto");
    await setPin(PIN, "tap");
    const hashed = createHash("sha256")
      .update(JSON.stringify([["paypassword", PIN]]))
      .digest("base64url");
    const { replays } = await import("#db/schema/ledger.ts");
    const [stored] = await w.deps.db.read.select().from(replays);
    expect(stored!.requestHash).not.toBe(hashed);
  });
});
