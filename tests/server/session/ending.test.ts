import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "#db/db.ts";
import { Sessions } from "#server/domains/session/identify.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { kick as kickMember, set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { messagesOf, send } from "../http/endpoints.ts";
import { allSessions, INVITE, logIn, register, whoIs } from "./people.ts";

/** More writes of one time than any. */
const MANY = 10;

let w: World;
let memberId: number;
let token: string;

beforeEach(async () => {
  w = await world();
  await w.invite(INVITE);
  const { data } = await register(w, "anna_1");
  token = data.token;
  memberId = Number(data.user.id.slice("mem_".length));
});
afterEach(() => w.close());

const newToken = async (): Promise<string> => (await logIn(w, "anna_1")).data.token;
const logOut = (token: string) => send(w, { path: "/member/doLogout", payload: "", token });
const check = (token: string) => send(w, { method: "GET", path: "/member/checkloginout", token });
const kick = (reason: string | null = null) => kickMember(w, memberId, reason);
const codesOf = async (...tokens: string[]) => {
  const codes: number[] = [];
  for (const token of tokens) codes.push((await whoIs(w, token)).code);
  return codes;
};

describe("logging out", () => {
  it("ends this session at once and no other", async () => {
    const other = await newToken();
    expect(await logOut(token)).toMatchObject({ code: 200, data: null });
    expect(await codesOf(token, other)).toEqual([401, 200]);
    expect(await check(token)).toMatchObject({ status: 200, code: 401, data: null });
    expect((await logOut(token)).code).toBe(401);
  });
});

describe("an operator who ends a member's sessions", () => {
  it("ends all of them; each is answered so for thirty days, and is then unknown", async () => {
    const other = await newToken();
    expect((await check(token)).data).toEqual({ login_out: 0 });
    expect(await kick()).toBe(2);
    const { status, code, msg, data } = await whoIs(w, token, "th_th");
    expect([status, code, data]).toEqual([200, 10001, { reason: "session.kicked" }]);
    expect(msg).toBe(messagesOf("th_th").refusal.session!.kicked);
    expect((await check(other)).code).toBe(10001);
    w.pass(30 * DAY_MS - 1);
    expect(await codesOf(token, other)).toEqual([10001, 10001]);
    w.pass(1);
    expect(await codesOf(token, other)).toEqual([401, 401]);
  });

  it("may give a reason", async () => {
    await kick("Please call us");
    expect((await whoIs(w, token)).msg).toBe("Please call us");
  });

  it("leaves the member free to log in again, and the next ending starts over", async () => {
    await kick();
    const again = await newToken();
    expect(await codesOf(token, again)).toEqual([10001, 200]);
    expect(await kick()).toBe(1);
  });

  it("does not revive a logged-out session", async () => {
    await logOut(token);
    expect(await kick()).toBe(0);
    expect((await whoIs(w, token)).code).toBe(401);
  });
});

describe("a new login", () => {
  it("leaves the member's other sessions alone", async () => {
    expect(await codesOf(token, await newToken())).toEqual([200, 200]);
  });

  it("ends them where only one is allowed", async () => {
    const other = await newToken();
    const stranger = (await register(w, "berta_1")).data.token;
    await set(w, "single_session", "1");
    const newest = await newToken();
    expect(await codesOf(token, other, newest, stranger)).toEqual([10001, 10001, 200, 200]);
  });

  it("is the only one left even when many come at once", async () => {
    await set(w, "single_session", "1");
    const tokens = await Promise.all(Array.from({ length: 4 }, newToken));
    const codes = await codesOf(...tokens);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 10001, 10001, 10001]);
  });
});

describe("an unused session", () => {
  it("ends after thirty days", async () => {
    w.pass(30 * DAY_MS - 1);
    expect(await codesOf(token)).toEqual([200]);
    w.pass(1);
    expect(await codesOf(token)).toEqual([401]);
  });

  it("lives on with every recorded use", async () => {
    for (let i = 0; i < 3; i++) {
      w.pass(20 * DAY_MS);
      expect(await codesOf(token)).toEqual([200]);
      await w.site.housekeeping.tick();
    }
    w.pass(30 * DAY_MS);
    expect(await codesOf(token)).toEqual([401]);
  });
});

describe("when a session was last seen", () => {
  const seen = async () => {
    const [session] = await allSessions(w);
    return { lastSeenAt: session!.lastSeenAt, ip: session!.ip };
  };
  const look = (from: string) => send(w, { method: "GET", path: "/member/getUserInfo", token, remoteAddress: from });

  it("is recorded with its address, once a minute at most", async () => {
    const opened = await seen();
    w.pass(MINUTE_MS - 1);
    await look("192.0.2.8");
    await w.site.housekeeping.tick();
    expect(await seen()).toEqual(opened);
    w.pass(1);
    await look("192.0.2.9");
    await w.site.housekeeping.tick();
    const recorded = { lastSeenAt: w.now(), ip: "192.0.2.9" };
    expect(await seen()).toEqual(recorded);
    w.pass(MINUTE_MS - 1);
    await look("192.0.2.10");
    await w.site.housekeeping.tick();
    expect(await seen()).toEqual(recorded);
  });

  it("is recorded once or twice, however often it is seen while it is written", async () => {
    const { db, clock, settings } = w.deps;
    let writes = 0;
    const see = () => sessions.identify(token, { ip: "192.0.2.9", sso: undefined });
    // Somebody asks while each of the first writes is under way.
    const transact: Db["transact"] = async (...given) => {
      if (++writes < MANY) await see();
      return db.transact(...given);
    };
    const sessions = new Sessions({ ...db, transact }, clock, settings);
    await see();
    w.pass(MINUTE_MS);
    await see();
    await sessions.flush();
    expect(writes).toBeLessThanOrEqual(2);
  });

  it("is recorded when the server drains", async () => {
    w.pass(MINUTE_MS);
    await look("192.0.2.9");
    await w.restart();
    expect(await seen()).toEqual({ lastSeenAt: w.now(), ip: "192.0.2.9" });
  });

  it("no longer changes once the session has ended", async () => {
    w.pass(MINUTE_MS);
    await look("192.0.2.9");
    await logOut(token);
    await w.site.housekeeping.tick();
    expect(await codesOf(token)).toEqual([401]);
  });
});
