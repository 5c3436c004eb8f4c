import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { lock as lockMember } from "../../support/operator.ts";
import { everyEndpoint, messagesOf, methodOf, nameOf } from "../http/endpoints.ts";
import { everything, furnishedWorld, goodInput, PASSWORD, type Furnished } from "../http/furnished.ts";
import { logIn } from "./people.ts";

const endpoints = (await everyEndpoint()).map((endpoint) => ({ name: nameOf(endpoint), endpoint }));

/** Locked members may still log out. */
const LOGOUT = "POST /member/doLogout";
/** They may still read their own data, and write to the operator. */
const ANSWERED = new Set([
  "GET /member/getUserInfo",
  "GET /member/checkloginout",
  "GET /member/getUserRechargeList",
  "GET /member/getUserWithdrawList",
  "GET /member/getUserGameList",
  "GET /Lottery/ownRounds",
  "GET /member/getMoneylog",
  // A proof lets them read their own data, as a file too.
  "GET /member/security",
  "GET /member/passkeyProofOptions",
  "POST /member/prove",
  // They may ask the operator why, and want no news of the club.
  "GET /support/messages",
  "POST /support/send",
  "POST /support/sendPicture",
  "POST /support/read",
  "POST /member/unsubscribePush",
  "GET /fair/proof",
  "GET /fair/payout",
  "GET /fair/mine",
]);

let site: Furnished;

const lock = (memberId: number, locked: boolean) => lockMember(site.w, memberId, locked);

beforeAll(async () => {
  site = await furnishedWorld();
  await lock(site.mia.memberId, true);
});
afterAll(() => site.w.close());

const ask = async <P extends string, M extends "GET" | "POST">(path: P, method: M, token = site.mia.token) =>
  site.w.call(path, goodInput(site.w)[path] ?? {}, { method, token, lang: "es_spa" });

describe("a locked member", () => {
  it.each(
    endpoints.filter(({ name, endpoint }) => endpoint.access !== "guest" && name !== LOGOUT && !ANSWERED.has(name)),
  )("is refused $name, and nothing happens", async ({ endpoint }) => {
    const before = await everything(site.w);
    const { status, code, msg, data } = await ask(endpoint.path, methodOf(endpoint));
    expect([status, code, data]).toEqual([200, 403, { reason: "member.locked" }]);
    expect(msg).toBe(messagesOf("es_spa").refusal.member!.locked);
    expect(await everything(site.w)).toEqual(before);
  });

  it.each(endpoints.filter(({ name }) => ANSWERED.has(name)))("is still answered $name", async ({ endpoint }) => {
    expect((await ask(endpoint.path, methodOf(endpoint))).code).toBe(200);
  });

  it.each(endpoints.filter(({ endpoint: { access, path } }) => access === "guest" && !path.startsWith("/member")))(
    "may call $name like everyone",
    async ({ endpoint }) => {
      expect((await ask(endpoint.path, methodOf(endpoint))).code).toBe(200);
    },
  );

  it("reads the operator's reason in each refusal", async () => {
    const reason = "Two accounts";
    await site.w.deps.db.transact((tx) => tellSecurity(tx, site.w.deps, site.mia.memberId, "locked", { reason }));
    const { msg } = await ask("/game/placeOrder", "POST");
    expect(msg).toBe(site.w.deps.text("es_spa", "refusal.lockedFor", { reason }));
  });

  it("may log out", async () => {
    const { data } = await logIn(site.w, "nora_1", PASSWORD);
    const [memberId, token] = [Number(data.user.id.slice("mem_".length)), data.token];
    await lock(memberId, true);
    expect((await ask("/member/doLogout", "POST", token)).code).toBe(200);
    expect((await ask("/member/getUserInfo", "GET", token)).code).toBe(401);
    await lock(memberId, false);
  });

  it("can read their account status", async () => {
    expect((await ask("/member/getUserInfo", "GET")).data.status).toBe(0);
  });

  it("is refused at login with the right password, and gets no session", async () => {
    const { data } = await logIn(site.w, "nora_1", PASSWORD);
    const memberId = Number(data.user.id.slice("mem_".length));
    await lock(memberId, true);
    const before = await everything(site.w, ["attempts"]);
    const right = await logIn(site.w, "nora_1", PASSWORD);
    expect([right.code, right.data]).toEqual([403, { reason: "member.locked" }]);
    expect((await logIn(site.w, "nora_1", "guess")).data).toEqual({ reason: "login.failed" });
    expect(await everything(site.w, ["attempts"])).toEqual(before);
    await lock(memberId, false);
    expect((await logIn(site.w, "nora_1", PASSWORD)).code).toBe(200);
  });

  it("continues where they were once they are unlocked", async () => {
    await lock(site.mia.memberId, false);
    expect((await ask("/game/placeOrder", "POST")).code).toBe(200);
    expect((await ask("/member/getUserInfo", "GET")).data.status).toBe(1);
  });
});
