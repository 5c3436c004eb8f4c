import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { members, sessions } from "#db/schema/index.ts";
import { countAttempt } from "#server/domains/session/attempts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { lock, set } from "../../support/operator.ts";
import { ticketFor } from "../../support/partner.ts";
import { type World } from "../../support/world.ts";
import { messagesOf } from "../http/endpoints.ts";
import { enter, partnerWorld, spentTickets, traces, whoHolds } from "./partner-world.ts";
import { allSessions, INVITE, logIn, PASSWORD, register } from "./people.ts";

let w: World;

beforeEach(async () => {
  w = await partnerWorld();
});
afterEach(() => w.close());

const allMembers = () => w.deps.db.read.select().from(members);

describe("logging in with a partner's ticket", () => {
  it("opens a session of the member, which requires the ticket from then on", async () => {
    const mia = await w.player("mia_1", { balance: 50 });
    const sso = ticketFor("mia_1", w.now());
    const { status, code, data } = await enter(w, "mia_1", sso);
    expect([status, code, data.tokensso]).toEqual([200, 200, sso]);
    expect(data.user).toMatchObject({ id: `mem_${mia.memberId}`, username: "mia_1", money: "50.00" });
    expect((await whoHolds(w, data.token, sso)).data).toEqual(data.user);
    expect(await allMembers()).toHaveLength(1);
  });

  it("creates an unknown member without a password, once", async () => {
    const { code, data } = await enter(w, "New_1");
    expect([code, data.user.username, data.user.has_password]).toEqual([200, "new_1", 0]);
    expect(data.user).toMatchObject({ money: "0.00", header_img: expect.stringMatching(/^avatar\//) as string });
    const [member] = await allMembers();
    expect(member).toMatchObject({ username: "new_1", passwordHash: null, demo: false });
    expect((await enter(w, "new_1")).data.user.id).toBe(data.user.id);
    expect(await allMembers()).toHaveLength(1);
    for (const guess of ["null", "undefined", " "]) expect((await logIn(w, "new_1", guess)).code).toBe(422);
  });

  it("ignores the case of names, as every login does", async () => {
    await w.player("mia_1");
    expect((await enter(w, "mia_1", ticketFor("MIA_1", w.now()))).data.user.username).toBe("mia_1");
  });

  it("stores nothing of the ticket but hashes", async () => {
    const sso = ticketFor("mia_1", w.now(), { claims: { jti: "once-and-never-again" } });
    await enter(w, "mia_1", sso);
    const stored = JSON.stringify(await traces(w));
    for (const secret of [sso, sso.split(".")[2]!, "once-and-never-again"]) expect(stored).not.toContain(secret);
    expect((await allSessions(w))[0]).toMatchObject({ ssoHash: expect.any(String) as string, ip: "192.0.2.7" });
  });

  it("ends the member's other sessions where one is allowed", async () => {
    await w.invite(INVITE);
    await register(w, "anna_1");
    const first = (await logIn(w, "anna_1", PASSWORD)).data.token;
    await set(w, "single_session", "1");
    const sso = ticketFor("anna_1", w.now());
    const second = (await enter(w, "anna_1", sso)).data.token;
    expect([(await whoHolds(w, first)).code, (await whoHolds(w, second, sso)).code]).toEqual([10001, 200]);
  });

  it("is refused to a locked member, whose ticket stays valid", async () => {
    const mia = await w.player("mia_1");
    await lock(w, mia.memberId, true);
    const [before, sso] = [await traces(w), ticketFor("mia_1", w.now())];
    const { code, data } = await enter(w, "mia_1", sso);
    expect([code, data]).toEqual([403, { reason: "member.locked" }]);
    expect(await traces(w)).toEqual(before);
    await lock(w, mia.memberId, false);
    expect((await enter(w, "mia_1", sso)).code).toBe(200);
  });

  it("requires both fields", async () => {
    expect((await enter(w, "", "")).fields).toMatchObject({
      sso: expect.any(String) as string,
      username: expect.any(String) as string,
    });
  });
});

describe("a ticket", () => {
  it("is good for one login; the next is refused in the caller's language", async () => {
    const sso = ticketFor("mia_1", w.now());
    expect((await enter(w, "mia_1", sso)).code).toBe(200);
    const before = await traces(w);
    const { code, data, msg } = await enter(w, "mia_1", sso);
    expect([code, data, msg]).toEqual([422, { reason: "login.failed" }, messagesOf("en_us").refusal.login!.ticket]);
    expect(await traces(w)).toEqual(before);
  });

  it("cannot be used again with the same jti in another ticket", async () => {
    expect((await enter(w, "mia_1", ticketFor("mia_1", w.now(), { claims: { jti: "same" } }))).code).toBe(200);
    w.pass(5_000);
    expect((await enter(w, "ben_1", ticketFor("ben_1", w.now(), { claims: { jti: "same" } }))).code).toBe(422);
    expect((await allMembers()).map(({ username }) => username)).toEqual(["mia_1"]);
  });

  it("shown twenty times at once opens one session of one member", async () => {
    const sso = ticketFor("crowd_1", w.now());
    const from = (i: number) => `198.51.100.${i}`;
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => enter(w, "crowd_1", sso, from(i))));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 422),
    ]);
    expect([await allSessions(w), await allMembers(), await spentTickets(w)].map((rows) => rows.length)).toEqual([
      1, 1, 1,
    ]);
  });

  it("stays used, also after a restart", async () => {
    const sso = ticketFor("mia_1", w.now());
    await enter(w, "mia_1", sso);
    await w.restart();
    expect((await enter(w, "mia_1", sso)).code).toBe(422);
  });

  it("among many different ones at once creates one member", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => enter(w, "crowd_1")));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect([(await allMembers()).length, (await allSessions(w)).length]).toEqual([1, 10]);
  });

  it("is remembered until it has expired everywhere, and deleted then", async () => {
    await enter(w, "mia_1");
    w.pass(MINUTE_MS);
    await w.site.housekeeping.tick();
    expect(await spentTickets(w)).toHaveLength(1);
    w.pass(2 * HOUR_MS);
    await w.site.housekeeping.tick();
    expect(await spentTickets(w)).toHaveLength(0);
  });
});

describe("a member without a password", () => {
  it("is told that there is none to change, and cannot guess one", async () => {
    const sso = ticketFor("mia_1", w.now());
    const { token } = (await enter(w, "mia_1", sso)).data;
    const change = () =>
      w.call(
        "/member/setLoginPassword",
        { old_password: "null", new_password: "battery staple" },
        { token, headers: { tokensso: sso }, lang: "en_us" },
      );
    for (let i = 0; i < 7; i++) {
      const { code, data, msg } = await change();
      expect([code, data, msg]).toEqual([422, { reason: "password.none" }, messagesOf("en_us").refusal.password!.none]);
    }
    const [member] = await w.deps.db.read.select().from(members).where(eq(members.username, "mia_1"));
    expect(member!.passwordHash).toBeNull();
  });
});

describe("showing invalid tickets", () => {
  const show = (from: string, i = 0) => enter(w, `name_${i}`, "no.ticket.atall", from);

  it("is limited by address, and locks no name", async () => {
    await w.close();
    w = await partnerWorld({ RATE_LIMIT: "on" });
    for (let i = 0; i < 50; i++) expect((await show("192.0.2.1")).code).toBe(422);
    const refused = await show("192.0.2.1");
    expect([refused.code, refused.headers["retry-after"]]).toEqual([429, "15"]);
    expect((await enter(w, "name_0")).code).toBe(200);
  });

  it("is not limited where load is tested, nor by guesses at passwords", async () => {
    for (let i = 0; i < 52; i++) expect((await show("192.0.2.1", i)).code).toBe(422);
    await w.deps.db.transact(async (tx) => {
      for (let i = 0; i < 50; i++) await countAttempt(tx, { username: `name_${i}`, ip: "192.0.2.1" }, w.now());
    });
    expect((await logIn(w, "mia_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(429);
    expect((await enter(w, "mia_1", undefined, "192.0.2.1")).code).toBe(200);
    // A right ticket takes no guess at a password back.
    expect((await logIn(w, "leo_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(429);
  });

  it("does not count against valid tickets", async () => {
    for (let i = 0; i < 60; i++) expect((await enter(w, "mia_1")).code).toBe(200);
    await w.deps.db.transact((tx) => tx.update(sessions).set({ lastSeenAt: w.now() - DAY_MS }));
    expect((await enter(w, "mia_1")).code).toBe(200);
  });
});
