import { eq } from "drizzle-orm";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pushMessages, pushSubscriptions, sessions } from "#db/schema/index.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { PushClock } from "#server/jobs/push-clock.ts";
import { deleteOutdated } from "#server/jobs/retention.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { bet, roundNow } from "../../support/ledger.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { PushReceiver, PushServer } from "../../support/push-server.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { category, video } from "../video/video-world.ts";

let w: World;
let service: PushServer;
let mia: Player;
let phone: PushReceiver;
beforeEach(async () => {
  service = await new PushServer().listen();
  w = await world({ env: { PUSH_SERVICES: service.url } });
  mia = await w.player("mia_1", { balance: 1_000 });
  phone = new PushReceiver();
});
afterEach(async () => {
  await w.close();
  await service.close();
});

const ALL = "results,withdrawals,security,notices,videos";

/** Subscribes a player's device, at a path of the push service. */
async function subscribe(who: Player, path: string, { kinds = ALL, lang = "en_us", receiver = phone } = {}) {
  const wish = { endpoint: `${service.url}/${path}`, ...receiver.keys, kinds };
  expect((await who.call("/member/subscribePush", wish, { lang })).code).toBe(200);
}

/** Another session of mia's. */
async function anotherDevice(): Promise<Player> {
  const who = { ip: "127.0.0.1", agent: "test" };
  const token = await w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, who));
  return { ...mia, call: (path, input, options) => w.call(path, input, { token, ...options }) };
}

const tell = (who = mia) => w.deps.db.transact((tx) => tellSecurity(tx, w.deps, who.memberId, "passwordChanged"));
const tick = (site: Site = w.site) => site.pushes.tick();
const paths = () => service.pushed.map(({ path }) => path);
const queued = () => w.deps.db.read.select().from(pushMessages);
const subscribed = () => w.deps.db.read.select().from(pushSubscriptions);

describe("a message for a closed app", () => {
  it("is encrypted, signed, and in the language of the device", async () => {
    await subscribe(mia, "phone", { lang: "ko_kr" });
    await tell();
    await tick();
    expect(service.pushed).toHaveLength(1);
    const { path, headers, body } = service.pushed[0]!;
    expect(path).toBe("/phone");
    expect(headers).toMatchObject({ ttl: `${3 * 86_400}`, urgency: "high", "content-encoding": "aes128gcm" });
    expect(headers.topic).toMatch(/^[\w-]{32}$/);
    const { data } = await mia.call("/member/push", {}, { method: "GET" });
    expect(headers.authorization).toMatch(new RegExp(`^vapid t=[\\w.-]+, k=${data.key}$`));
    expect(phone.read(body)).toEqual({
      title: "계정 보안",
      body: w.deps.text("ko_kr", "message.security.passwordChanged"),
      path: "/Messages",
      tag: "msg_1",
      lang: "ko",
    });
  });

  it("comes once to each device that wants its kind, and to nobody else's", async () => {
    await subscribe(mia, "phone");
    const ola = await w.player("ola_1");
    await subscribe(ola, "other");
    await subscribe(await anotherDevice(), "tablet", { kinds: "notices" });
    await tick();
    service.pushed.length = 0;
    await tell();
    await tick();
    await tick();
    expect(paths()).toEqual(["/phone"]);
  });

  it("is about a notice and a new video too, for all who want those", async () => {
    await subscribe(mia, "phone", { kinds: "notices" });
    const ola = await w.player("ola_1");
    await subscribe(ola, "other", { kinds: "videos,notices" });
    await w.deps.db.transact((tx) => addNotice(tx, w.deps, { en_us: "Open", vn_vn: "Mở cửa" }, "Until late"));
    await tick();
    expect(paths().sort()).toEqual(["/other", "/phone"]);
    expect(phone.read(service.pushed[0]!.body)).toMatchObject({ title: "Notices", body: "Open", path: "/Notice" });
    service.pushed.length = 0;
    await category(w, "sea");
    await video(w, "Waves");
    await tick();
    expect(paths()).toEqual(["/other"]);
    expect(service.pushed[0]!.headers.urgency).toBe("low");
  });

  it("reaches every device of many, a page of them at a time", async () => {
    const row = { memberId: mia.memberId, ...phone.keys, locale: "en_us" as const, kinds: ["notices" as const] };
    const rows = Array.from({ length: 401 }, (_, i) => ({
      ...row,
      sessionId: i + 1_000,
      endpoint: `${service.url}/${i}`,
      createdAt: w.now(),
    }));
    await w.deps.db.transact((tx) => tx.insert(pushSubscriptions).values(rows));
    await w.deps.db.transact((tx) => addNotice(tx, w.deps, "Open", "Until late"));
    await tick();
    // They have no session that runs, so each of those taken is dropped.
    expect(service.pushed).toEqual([]);
    expect(await queued()).toHaveLength(401 - 20);
  });
});

describe("a result", () => {
  beforeEach(async () => {
    await w.game();
    await w.live(1_000);
  });

  it("comes to members with a bet on the round, and lasts no longer than the next round", async () => {
    await subscribe(mia, "phone");
    const ola = await w.player("ola_1");
    await subscribe(ola, "other");
    const round = roundNow(w);
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    await tick();
    expect(service.pushed).toEqual([]);
    w.pass(3_000);
    await tick();
    expect(paths()).toEqual(["/phone"]);
    const { headers, body } = service.pushed[0]!;
    expect(Number(headers.ttl)).toBeLessThanOrEqual(57);
    expect(phone.read(body)).toMatchObject({
      title: "Results of my bets",
      body: `One minute: your bet on round ${round} is settled`,
      path: "/GameRecord?id=bet_1",
    });
  });

  it("leads to the table with several bets on the round, and to the only one among bets on others", async () => {
    await subscribe(mia, "phone");
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    const end = async () => {
      await w.live(MINUTE_MS);
      await tick();
      w.pass(3_000);
      await tick();
    };
    await bet(w, mia, 5);
    await end();
    await bet(w, mia, 5);
    await bet(w, mia, 5, "8");
    await end();
    const paths = service.pushed.map(({ body }) => (phone.read(body) as { path: string }).path);
    expect(paths).toEqual(["/GameRecord?id=bet_2", "/Lottery?key=k3-1m"]);
  });

  it("does not come to a member with an open socket", async () => {
    await subscribe(mia, "phone");
    const clients = new SocketClients(await w.listen());
    await clients.open({ token: mia.token });
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    await tick();
    await vi.waitFor(async () => expect(await queued()).toEqual([]), PATIENTLY);
    w.pass(3_000);
    await tick();
    expect(service.pushed).toEqual([]);
    clients.close();
  });

  it("is not sent when it would come after the next round", async () => {
    await subscribe(mia, "phone");
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    await tick();
    w.pass(MINUTE_MS);
    await tick();
    expect(service.pushed).toEqual([]);
    expect(await queued()).toEqual([]);
  });

  it("is queued for nobody while no device is subscribed", async () => {
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    expect(await queued()).toEqual([]);
  });
});

describe("a push service", () => {
  it.each([404, 410])("that answers %i is asked no more for that device", async (status) => {
    await subscribe(mia, "phone");
    service.answer = () => ({ status });
    await tell();
    await tick();
    expect(await subscribed()).toEqual([]);
  });

  it.each([
    [429, { "retry-after": "60" }, 60_000],
    [503, {}, 5_000],
    [500, { "retry-after": "junk" }, 5_000],
  ])("that answers %i is asked again later: %j", async (status, headers, afterMs) => {
    await subscribe(mia, "phone");
    service.answer = () => ({ status, headers });
    await tell();
    await tick();
    w.pass(afterMs - 1);
    await tick();
    expect(service.pushed).toHaveLength(1);
    service.answer = () => ({ status: 201 });
    w.pass(1);
    await tick();
    await tick();
    expect(service.pushed).toHaveLength(2);
    expect(await queued()).toEqual([]);
  });

  it("that never takes a message is asked six times, longer and longer apart", async () => {
    await subscribe(mia, "phone");
    service.answer = () => ({ status: 500 });
    await tell();
    for (let i = 0; i < 10; i++) {
      await tick();
      w.pass(5 * MINUTE_MS);
    }
    expect(service.pushed).toHaveLength(6);
    expect(await queued()).toEqual([]);
  });

  it.each([301, 400, 403, 413])("that answers %i is not asked again, and keeps the device", async (status) => {
    await subscribe(mia, "phone");
    service.answer = () => ({ status, headers: { location: `${service.url}/elsewhere` } });
    await tell();
    await tick();
    w.pass(DAY_MS / 2);
    await tick();
    expect(paths()).toEqual(["/phone"]);
    expect(await subscribed()).toHaveLength(1);
    expect(w.logged.join("")).not.toContain(service.pushed[0]!.path);
  });

  it("whose name leads to a private address is not connected to", async () => {
    const wish = { endpoint: "https://fcm.googleapis.com/fcm/send/abc", ...phone.keys, kinds: ALL };
    expect((await mia.call("/member/subscribePush", wish)).code).toBe(200);
    const asked: string[] = [];
    const clock = new PushClock(w.deps, (name, done) => {
      asked.push(name);
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    });
    await tell();
    await clock.tick();
    expect(asked).toEqual(["fcm.googleapis.com"]);
    expect(await queued()).toMatchObject([{ tries: 1 }]);
  });
});

describe("a subscription", () => {
  const kindsOf = async (who: Player) => (await who.call("/member/push", {}, { method: "GET" })).data.kinds;

  it("holds its kinds until it is changed or ended", async () => {
    expect(await kindsOf(mia)).toEqual([]);
    await subscribe(mia, "phone", { kinds: "videos,results,videos" });
    expect(await kindsOf(mia)).toEqual(["results", "videos"]);
    await subscribe(mia, "phone", { kinds: "notices" });
    expect(await kindsOf(mia)).toEqual(["notices"]);
    await mia.call("/member/unsubscribePush", {});
    expect(await kindsOf(mia)).toEqual([]);
    await tell();
    expect(await queued()).toEqual([]);
  });

  it.each([
    ["endpoint", "https://evil.example/abc"],
    ["endpoint", "http://10.0.0.1/abc"],
    ["endpoint", `https://fcm.googleapis.com/${"a".repeat(1_100)}`],
    ["p256dh", Buffer.alloc(65, 4).toString("base64url")],
    ["p256dh", "short"],
    ["auth", "short"],
    ["kinds", "results,everything"],
    ["kinds", ""],
  ])("needs a good %s: not %s", async (field, value) => {
    const wish = { endpoint: `${service.url}/phone`, ...phone.keys, kinds: ALL, [field]: value };
    const { code, data } = await mia.call("/member/subscribePush", wish);
    expect([code, data]).toEqual([400, { fields: { [field]: expect.any(String) as string } }]);
  });

  it("about a withdrawal leads to its receipt, and one from before messages said which, to the list", async () => {
    await subscribe(mia, "phone");
    const told = (facts: Record<string, string>) =>
      w.deps.db.transact((tx) => addMessage(tx, w.deps, mia.memberId, "withdraw.paid", { money: "3.00", ...facts }));
    await told({ record: "wdr_7" });
    await told({});
    await tick();
    const led = service.pushed.map(({ body }) => (phone.read(body) as { path: string }).path);
    expect(led.toSorted()).toEqual(["/WithdrawRecord", "/WithdrawRecord?id=wdr_7"]);
  });

  it("takes a browser over from whoever used it before", async () => {
    await subscribe(mia, "phone");
    const ola = await w.player("ola_1");
    await tell();
    await subscribe(ola, "phone");
    await tick();
    expect(service.pushed).toEqual([]);
    expect((await subscribed()).map(({ memberId }) => memberId)).toEqual([ola.memberId]);
  });

  it("is one of ten of a member: an eleventh takes the place of the oldest", async () => {
    for (let i = 0; i < 11; i++) {
      w.pass(1_000);
      await subscribe(await anotherDevice(), `phone-${i}`);
    }
    const endpoints = (await subscribed()).map(({ endpoint }) => endpoint.split("/").at(-1));
    expect(new Set(endpoints)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((i) => `phone-${i}`)));
  });

  it("ends with its session, and its address is forgotten", async () => {
    await subscribe(mia, "phone");
    await tell();
    await w.deps.db.transact((tx) => kickMember(tx, w.deps, mia.memberId, null));
    await tick();
    expect(service.pushed).toEqual([]);
    await deleteOutdated(w.deps.db, w.now(), 0);
    expect(await subscribed()).toEqual([]);
  });

  it("rests with a session that nobody used for a month", async () => {
    await subscribe(mia, "phone");
    await w.deps.db.transact((tx) => tx.update(sessions).set({ lastSeenAt: w.now() - 31 * DAY_MS }));
    await tell();
    await tick();
    expect(service.pushed).toEqual([]);
  });
});

describe("several processes", () => {
  let second: Site;
  let hand: Float64Array<SharedArrayBuffer>;
  beforeEach(async () => {
    hand = new Float64Array(new SharedArrayBuffer(16));
    hand[0] = w.now();
    const clock = { kind: "shared", buffer: hand.buffer } as const;
    second = await openSite(w.config, { clock, log: pino({ level: "silent" }) });
  });
  afterEach(() => second.close());

  it("send each message once", async () => {
    const devices = Array.from({ length: 30 }, (_, i) => i);
    for (const i of devices) await subscribe(await w.player(`player_${i}`), `${i}`);
    await w.deps.db.transact((tx) => addNotice(tx, w.deps, "Open", "Until late"));
    for (let i = 0; i < 4; i++) await Promise.all([tick(), tick(second), tick(), tick(second)]);
    expect(paths().sort()).toEqual(devices.map((i) => `/${i}`).sort());
  });

  it("withdraw a result whose member has a socket at any of them", async () => {
    await w.game();
    await w.live(1_000);
    await subscribe(mia, "phone");
    await second.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = second.app.server.address() as { port: number };
    const clients = new SocketClients(`http://127.0.0.1:${port}`);
    await clients.open({ token: mia.token });
    await bet(w, mia, 5);
    await w.live(MINUTE_MS);
    await tick();
    await vi.waitFor(async () => expect(await queued()).toEqual([]), PATIENTLY);
    clients.close();
  });
});

it("a process that is killed while it sends has sent once: no other sends it again", async () => {
  await subscribe(mia, "phone");
  service.answer = () => ({ status: 0 });
  await tell();
  const sending = tick().catch(() => undefined);
  await vi.waitFor(() => expect(service.pushed).toHaveLength(1), PATIENTLY);
  await w.crash();
  service.answer = () => ({ status: 201 });
  w.pass(DAY_MS);
  await tick();
  await sending;
  expect(service.pushed).toHaveLength(1);
  expect(await w.deps.db.read.select().from(pushMessages).where(eq(pushMessages.kind, "security"))).toEqual([]);
});
