import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bets, deposits, sessions, spins, withdrawals } from "#db/schema/index.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { call, type CallOptions, type Reply } from "../support/call.ts";
import { give } from "../support/credentials.ts";
import { set } from "../support/operator.ts";
import { SSO_SECRET, ticketFor } from "../support/partner.ts";
import { PATIENTLY } from "../support/patience.ts";
import { world, type Player, type World } from "../support/world.ts";
import { PIN, saver } from "./payments/purse.ts";
import { INVITE, PASSWORD, register } from "./session/people.ts";
import { activePlayer, category, fetchMedia, playing, segmentsIn, video } from "./video/video-world.ts";
import { closeAudited, offer, prize } from "./wheel/wheel-world.ts";

/** By then every process knows what happened at one. */
const SOON_MS = 1_000;

let w: World;
let second: Site;
let hand: Float64Array<SharedArrayBuffer>;
let sites: Site[];

beforeEach(async () => {
  w = await world();
  hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = w.now();
  const clock = { kind: "shared", buffer: hand.buffer } as const;
  second = await openSite(w.config, { clock, log: pino({ level: "silent" }) });
  sites = [w.site, second];
});
afterEach(async () => {
  await second.close();
  await closeAudited(w);
});

function pass(ms: number): void {
  w.pass(ms);
  hand[0] = w.now();
}

type Given = Parameters<typeof call>[2];
const at = (site: Site, path: string, input?: Given, options: CallOptions = {}): Promise<Reply> =>
  call(site.app, path, input, { lang: "en_us", ...options });
/** The same at all processes in turn, so many times altogether. */
async function inTurn(times: number, ask: (site: Site) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < times; i++) replies.push(await ask(sites[i % 2]!));
  return replies;
}
/** The same at all processes at once, several times at each. */
const atOnce = (ask: (site: Site) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all([...sites, ...sites, ...sites].map(ask));
const codes = (replies: Reply[]) => replies.map(({ code }) => code);
const count = async (table: typeof bets | typeof deposits | typeof spins | typeof withdrawals | typeof sessions) =>
  (await w.deps.db.read.select().from(table)).length;

describe("a limit of failures", () => {
  it("is counted over all processes: logins", async () => {
    await w.invite(INVITE);
    await register(w, "anna_1");
    const logIn = (password: string) => (site: Site) => at(site, "/member/doLogin", { username: "anna_1", password });
    expect(codes(await inTurn(5, logIn("guess")))).toEqual([422, 422, 422, 422, 422]);
    for (const { code, data } of await inTurn(2, logIn(PASSWORD)))
      expect([code, data]).toEqual([429, { reason: "login.locked" }]);
    pass(15_000);
    expect((await logIn(PASSWORD)(second)).code).toBe(200);
  });

  it("holds for concurrent requests too", async () => {
    await w.invite(INVITE);
    await register(w, "anna_1");
    const guesses = await atOnce((site) => at(site, "/member/doLogin", { username: "anna_1", password: "guess" }));
    expect(codes(guesses).toSorted((a, b) => a - b)).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it("is counted over all processes: passcodes", async () => {
    const mia = await saver(w, "mia_1", 1_000);
    const ask = (paypwd: string) => (site: Site) =>
      at(site, "/member/setUserWirhdraw", { money: "100", paypwd }, { token: mia.token });
    expect(codes(await inTurn(5, ask("000000")))).toEqual([422, 422, 422, 422, 422]);
    for (const { code, data } of await inTurn(2, ask(PIN)))
      expect([code, data]).toEqual([429, { reason: "passcode.locked" }]);
    pass(15 * MINUTE_MS);
    expect((await ask(PIN)(second)).code).toBe(200);
  });

  it("is counted over all processes: exports", async () => {
    const mia = await w.player("mia_1");
    const headers = { token: Buffer.from(mia.token).toString("base64") };
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      const { statusCode } = await sites[i % 2]!.app.inject({ url: "/api/member/export?format=csv", headers });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });
});

describe("a single use", () => {
  it("counts over all processes: a partner's ticket", async () => {
    await set(w, "sso_secret", SSO_SECRET);
    await expect.poll(() => second.deps.settings.get("sso_secret"), { timeout: SOON_MS }).toBe(SSO_SECRET);
    const sso = ticketFor("ben_1", w.now());
    const replies = await atOnce((site) => at(site, "/member/doLoginthird", { sso, username: "ben_1", lang: "en_us" }));
    expect(codes(replies).filter((code) => code === 200)).toHaveLength(1);
    expect(await count(sessions)).toBe(1);
  });
});

describe("one key at all processes at once", () => {
  let mia: Player;
  const once = async (path: string, input: Record<string, string>) => {
    const options = { method: "POST", token: mia.token, key: "tap" } as const;
    const replies = await atOnce((site) => at(site, path, input, options));
    expect(codes(replies)).toEqual([200, 200, 200, 200, 200, 200]);
    for (const { data } of replies) expect(data).toEqual(replies[0]!.data);
    return replies[0]!.data;
  };
  const money = async () => (await mia.call("/member/getUserInfo")).data.money as string;

  beforeEach(async () => {
    mia = await saver(w, "mia_1", 1_000);
    await give(w, mia.memberId, { pin: PIN });
  });

  it("is one top-up", async () => {
    await once("/member/doRecharge", { pay_way: "sandbox", money: "50" });
    expect(await count(deposits)).toBe(1);
  });

  it("is one withdrawal", async () => {
    await once("/member/setUserWirhdraw", { money: "100", paypwd: PIN });
    expect([await count(withdrawals), await money()]).toEqual([1, "900.00"]);
  });

  it("is one spin", async () => {
    await offer(w, prize("none"), prize("points", { kind: "points", amount: 500 }));
    await once("/luckdraw", {});
    expect(await count(spins)).toBe(1);
  });

  it("is one bet", async () => {
    await w.game();
    await w.settle();
    await once("/game/placeOrder", { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: "20260302-0001" });
    expect([await count(bets), await money()]).toEqual([1, "980.00"]);
  });
});

describe("a change at one process", () => {
  it("is known at the others within a second: a logout", async () => {
    const mia = await w.player("mia_1");
    const info = () => at(second, "/member/getUserInfo", undefined, { token: mia.token });
    expect((await info()).code).toBe(200);
    await mia.call("/member/doLogout", {});
    await expect.poll(async () => (await info()).code, { timeout: SOON_MS, interval: 20 }).toBe(401);
  });

  it("is known at the others within a second: a setting, whichever process changes it", async () => {
    for (const [i, { deps }] of sites.entries()) {
      await deps.db.transact((tx) => setSetting(tx, deps, "spin_daily", `${11 + i}`));
      for (const { deps } of sites)
        await expect.poll(() => deps.settings.get("spin_daily"), { timeout: SOON_MS, interval: 20 }).toBe(11 + i);
    }
  });

  it("is known at the others within five seconds: the end of a session that watches a video", async () => {
    await category(w, "sea");
    const film = await video(w);
    const mia = await activePlayer(w, "mia_1");
    const folder = await playing(w, film.id, mia.token);
    const [first] = segmentsIn((await fetchMedia(w, `${folder}1.m3u8`)).text);
    const status = async () => (await second.app.inject({ url: folder + first! })).statusCode;
    expect(await status()).toBe(200);
    await mia.call("/member/doLogout", {});
    pass(4_000);
    await expect.poll(status, PATIENTLY).toBe(403);
  });
});
