import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { kick, lock, set } from "../../support/operator.ts";
import { DAY_MS } from "#shared/time.ts";
import { messagesOf } from "../http/endpoints.ts";
import { world, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

const PUBLIC_URL = "https://club.example";
let w: World;
let address: string;
let clients: SocketClients;

beforeAll(async () => {
  w = await world({ env: { PUBLIC_URL } });
  await w.game();
  await w.live(1_000);
  address = await w.listen();
  clients = new SocketClients(address);
});
afterEach(() => clients.close());
afterAll(() => w.close());

describe("opening a socket", () => {
  it.each(["websocket", "polling"] as const)("needs no token to watch: %s", async (transport) => {
    const guest = await clients.open({ transport });
    expect((await guest.watch("k3-1m")).code).toBe(200);
  });

  it("sends once the clock, the epoch, the log's head and witnesses, and whether logouts are confirmed", async () => {
    const guest = await clients.open();
    const hello = await guest.next("hello");
    const epoch = expect.any(String) as string;
    const witnesses = { keys: [], needed: 0 };
    expect(hello).toEqual({ server_now_ms: w.now(), epoch, login_out: 1, head: null, witnesses });
    await set(w, "login_out", "0");
    const later = await clients.open();
    expect(await later.next("hello")).toEqual({ ...hello, login_out: 0 });
    await guest.drained();
    expect(guest.all("hello")).toHaveLength(1);
  });

  it.each(["made up", "x".repeat(10_000), "x".repeat(20_000), 7, true, {}, ["a"], "\u0000"])(
    "is refused with an invalid token: %j",
    async (token) => {
      const error = await clients.try({ token, lang: "ja_ja" }).refusal();
      expect(error.data).toEqual({ code: 401, msg: messagesOf("ja_ja").refusal.session!.missing });
    },
  );

  it.each(["", null])("counts as a guest's with the token %j", async (token) => {
    expect((await clients.open({ token })).socket.connected).toBe(true);
  });

  it("is refused with 10001 for thirty days after the operator ended the session", async () => {
    const mia = await w.player("mia_1");
    await kick(w, mia.memberId);
    const { data } = await clients.try({ token: mia.token, lang: "ko_kr" }).refusal();
    expect(data).toEqual({ code: 10001, msg: messagesOf("ko_kr").refusal.session!.kicked });
    w.pass(30 * DAY_MS);
    expect((await clients.try({ token: mia.token }).refusal()).data).toMatchObject({ code: 401 });
  });

  it("is refused with 401 after a logout, or once the session expired", async () => {
    const [ben, eva] = [await w.player("ben_1"), await w.player("eva_1")];
    await ben.call("/member/doLogout", {});
    expect((await clients.try({ token: ben.token }).refusal()).data).toMatchObject({ code: 401 });
    w.pass(30 * DAY_MS);
    expect((await clients.try({ token: eva.token }).refusal()).data).toMatchObject({ code: 401 });
  });

  it("is allowed to a locked member, who may watch", async () => {
    const ida = await w.player("ida_1");
    await lock(w, ida.memberId, true);
    const client = await clients.open({ token: ida.token });
    expect((await client.watch("k3-1m")).code).toBe(200);
  });
});

describe("the page that opens a socket", () => {
  const poll = (origin: string) => fetch(`${address}/socket.io/?EIO=4&transport=polling`, { headers: { origin } });

  it.each(["https://evil.example", "https://club.example.evil.example", "http://club.example", "null", "nonsense"])(
    "is refused when it is %s",
    async (origin) => {
      await expect(clients.try({ headers: { origin } }).refusal()).resolves.toBeInstanceOf(Error);
      expect((await poll(origin)).status).toBe(403);
    },
  );

  it("may be the site's, or the server's own", async () => {
    for (const origin of [PUBLIC_URL, address]) {
      await clients.open({ headers: { origin } });
      expect((await poll(origin)).status).toBe(200);
    }
  });
});
