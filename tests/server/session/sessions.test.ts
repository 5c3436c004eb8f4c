import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { maintainHub } from "#server/realtime/upkeep.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { kick, set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { allSessions, INVITE, logIn, register, whoIs } from "./people.ts";

let w: World;
let phone: string;

beforeEach(async () => {
  w = await world();
  await w.invite(INVITE);
  phone = (await register(w, "anna_1", { from: "192.0.2.1" })).data.token;
});
afterEach(() => w.close());

interface Listed {
  id: string;
  created: number;
  last_seen: number;
  ip: string;
  agent: string;
  current: 0 | 1;
}
const enter = async (from = "192.0.2.2") => (await logIn(w, "anna_1", undefined, { from })).data.token;
const list = async (token: string): Promise<Listed[]> =>
  (await send(w, { method: "GET", path: "/member/sessions", token, remoteAddress: "192.0.2.9" })).data;
const end = (token: string, id = "", key?: string) =>
  send(w, { path: "/member/endSession", payload: `id=${id}`, token, ...(key ? { key } : {}) });
const ownId = async (token: string) => (await list(token)).find(({ current }) => current === 1)!.id;
const codes = async (...tokens: string[]) => {
  const found: number[] = [];
  for (const token of tokens) found.push((await whoIs(w, token)).code);
  return found;
};

describe("the list of a member's sessions", () => {
  it("shows when each began, when and from where it was last used, and which one is the caller's", async () => {
    w.pass(5 * MINUTE_MS);
    const laptop = await enter();
    w.pass(MINUTE_MS);
    const [first, second, ...rest] = await list(phone);
    expect(rest).toEqual([]);
    const opened = toSeconds(w.now() - 6 * MINUTE_MS);
    expect(first).toMatchObject({ current: 1, created: opened, last_seen: toSeconds(w.now()), ip: "192.0.2.9" });
    const since = toSeconds(w.now() - MINUTE_MS);
    expect(second).toMatchObject({ current: 0, created: since, last_seen: since, ip: "192.0.2.2" });
    expect((await list(laptop)).map(({ id, current }) => [id, current])).toEqual([
      [second!.id, 1],
      [first!.id, 0],
    ]);
  });

  it("has the latest use first, and none that ended, was idle for thirty days, or is another's", async () => {
    const tokens = [];
    for (let i = 0; i < 3; i++) {
      w.pass(MINUTE_MS);
      tokens.push(await enter(`192.0.2.${10 + i}`));
    }
    await register(w, "berta_1");
    await send(w, { path: "/member/doLogout", payload: "", token: tokens[1]! });
    expect((await list(phone)).map(({ ip }) => ip)).toEqual(["192.0.2.9", "192.0.2.12", "192.0.2.10"]);
    w.pass(20 * DAY_MS);
    await whoIs(w, phone);
    await w.site.housekeeping.tick();
    w.pass(10 * DAY_MS);
    expect(await list(phone)).toHaveLength(1);
  });
});

describe("ending a session", () => {
  it("of one's own ends it at once and no other; it is then answered as logged out", async () => {
    const [laptop, tablet] = [await enter(), await enter()];
    expect(await end(phone, await ownId(laptop))).toMatchObject({ code: 200, data: null });
    expect(await codes(phone, laptop, tablet)).toEqual([200, 401, 200]);
  });

  it("of one's own, the current one, is like logging out", async () => {
    expect((await end(phone, await ownId(phone))).code).toBe(200);
    expect(await codes(phone)).toEqual([401]);
  });

  it("without an id ends all others, if any", async () => {
    const others = [await enter(), await enter(), await enter()];
    const stranger = (await register(w, "berta_1")).data.token;
    expect((await end(phone)).code).toBe(200);
    expect(await codes(phone, stranger, ...others)).toEqual([200, 200, 401, 401, 401]);
    expect((await end(phone)).code).toBe(200);
    expect(await list(phone)).toHaveLength(1);
  });

  it("that is another's is refused as theirs, running or not, and changes nothing", async () => {
    const [running, over] = [(await register(w, "berta_1")).data.token, (await logIn(w, "berta_1")).data.token];
    const ids = [await ownId(running), await ownId(over)];
    await end(running, ids[1]);
    const before = await allSessions(w);
    for (const id of ids)
      expect(await end(phone, id)).toMatchObject({ code: 403, data: { reason: "session.foreign" } });
    expect(await allSessions(w)).toEqual(before);
    expect(await codes(running)).toEqual([200]);
  });

  it("that is made up, ended or idle is refused as unknown and changes nothing", async () => {
    const laptop = await enter();
    const ended = await ownId(laptop);
    await end(phone, ended);
    const before = await allSessions(w);
    for (const id of [ended, "ses_999", "ses_0", "ses_01", "1", "mem_1", "ses_9999999999999999"]) {
      expect(await end(phone, id)).toMatchObject({ code: 404, data: { reason: "object.unknown" } });
    }
    expect(await end(phone, "a b")).toMatchObject({ code: 400 });
    expect(await allSessions(w)).toEqual(before);
  });

  it("twice with the same key gets the same answer", async () => {
    const laptop = await enter();
    const id = await ownId(laptop);
    expect((await end(phone, id, "tap")).code).toBe(200);
    expect((await end(phone, id, "tap")).code).toBe(200);
    expect((await end(phone, id)).code).toBe(404);
  });

  it("does not turn a kick into a logout", async () => {
    const [, { memberId }] = [await enter(), (await allSessions(w))[0]!];
    await kick(w, memberId);
    expect((await end(phone)).code).toBe(10001);
    expect((await allSessions(w)).map(({ endedBy }) => endedBy)).toEqual(["operator", "operator"]);
  });

  it("in many concurrent requests leaves exactly one session", async () => {
    const tokens = [phone, await enter(), await enter(), await enter()];
    const answers = await Promise.all(tokens.map((token) => end(token)));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    expect((await codes(...tokens)).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });
});

describe("the sockets of a session", () => {
  let clients: SocketClients;
  beforeEach(async () => {
    clients = new SocketClients(await w.listen());
  });
  afterEach(() => clients.close());

  it("are disconnected when its member ends it, without a kick, and cannot reconnect", async () => {
    const laptop = await enter();
    const [here, there, too] = await Promise.all([phone, laptop, laptop].map((token) => clients.open({ token })));
    await end(phone);
    for (const client of [there!, too!]) {
      expect(await client.next("disconnect")).toBe("io server disconnect");
      expect(client.all("session:kick")).toEqual([]);
    }
    expect(here!.socket.connected).toBe(true);
    expect((await clients.try({ token: laptop }).refusal()).data?.code).toBe(401);
  });

  it("are disconnected within a minute of its end by time, however long they stay open", async () => {
    const laptop = await enter();
    const [used, idle, guest] = await Promise.all(
      [{ token: phone }, { token: laptop }, {}].map((who) => clients.open(who)),
    );
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stop = maintainHub(w.site.hub, w.deps);
    /** Fifteen days, after which the phone calls. */
    const live = async () => {
      w.pass(15 * DAY_MS);
      await whoIs(w, phone);
      await w.site.housekeeping.tick();
      vi.advanceTimersByTime(MINUTE_MS);
    };
    for (let i = 0; i < 2; i++) await live();
    expect(await idle!.next("disconnect")).toBe("io server disconnect");
    for (let i = 2; i < 5; i++) await live();
    await guest!.drained();
    expect(used!.socket.connected).toBe(true);
    await live();
    expect(await used!.next("disconnect")).toBe("io server disconnect");
    stop();
    vi.useRealTimers();
    expect(guest!.socket.connected).toBe(true);
    for (const token of [phone, laptop]) expect((await clients.try({ token }).refusal()).data?.code).toBe(401);
  });

  it("stay while the clock was just set, which a session may seem to outlive", async () => {
    const client = await clients.open({ token: phone });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stop = maintainHub(w.site.hub, w.deps);
    w.pass(HOUR_MS);
    w.jump(365 * DAY_MS);
    vi.advanceTimersByTime(MINUTE_MS);
    await client.drained();
    stop();
    vi.useRealTimers();
    expect(client.socket.connected).toBe(true);
  });

  it("are told and disconnected when a newer login ends it, where one session is allowed", async () => {
    await set(w, "single_session", "1");
    const client = await clients.open({ token: phone });
    const laptop = await enter();
    expect(await client.next("session:kick")).toMatchObject({ code: 10001 });
    await client.next("disconnect");
    expect(await codes(phone, laptop)).toEqual([10001, 200]);
    expect((await clients.try({ token: phone }).refusal()).data?.code).toBe(10001);
    expect(await list(laptop)).toHaveLength(1);
  });
});
