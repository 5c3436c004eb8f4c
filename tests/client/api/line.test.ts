import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "#client/api/connect.ts";
import { LiveConnection, type Credentials } from "#client/api/connection.ts";
import { serverTime } from "#client/api/server-time.ts";
import { rooms } from "#shared/contract/events.ts";
import { bet } from "../../support/ledger.ts";
import { kick } from "../../support/operator.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { messagesOf } from "../../server/http/endpoints.ts";
import { BusEar } from "./bus-ear.ts";
import { openPage } from "./page.ts";

let w: World;
let mia: Player;
let ear: BusEar;
let line: LiveConnection;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
  openPage(await w.listen());
  ear = new BusEar();
  line = new LiveConnection(connect, { again: 20, spread: 20 });
});
afterEach(async () => {
  line.close();
  ear.close();
  vi.unstubAllGlobals();
  await w.close();
});

const GAME = MINUTE_GAME.key;
const guest = (): Credentials => ({ lang: "en_us" });
const member = (): Credentials => ({ lang: "ko_kr", token: mia.token });
const sockets = () => w.site.hub.io.sockets.sockets;
/** How many of the server's sockets are in the game's room. */
const watchers = (key = GAME) => w.site.hub.io.sockets.adapter.rooms.get(rooms.game(key))?.size ?? 0;
/** The same server again under the same address. */
async function restart(): Promise<void> {
  const port = Number(new URL(await w.listen()).port);
  await w.restart();
  await w.site.app.listen({ host: "127.0.0.1", port });
}

describe("watching a game", () => {
  it("before the line is open brings a snapshot once it is, and the server's time", async () => {
    serverTime.forget();
    line.watch(GAME);
    line.open(guest);
    const { key, next_expect, server_now_ms } = await ear.next("snapshot");
    expect([key, next_expect, server_now_ms]).toEqual([GAME, "20260302-0001", w.now()]);
    expect(Math.abs(serverTime.now()! - w.now())).toBeLessThan(5_000);
    expect(ear.heard.map(({ event }) => event).slice(0, 2)).toEqual(["connection", "hello"]);
  });

  it("is not needed to know the server's time, which is heard anew on each line", async () => {
    serverTime.update(w.now() + 60_000);
    line.open(guest);
    await ear.next("hello");
    expect(Math.abs(serverTime.now()! - w.now())).toBeLessThan(5_000);
  });

  it("on the open line brings a snapshot at once, to each who begins to", async () => {
    line.open(guest);
    await ear.next("hello");
    line.watch(GAME);
    await ear.next("snapshot");
    line.watch(GAME);
    await ear.next("snapshot", 2);
    expect(watchers()).toBe(1);
  });

  it("brings what is pushed, until the last who watches stops, and stopping twice is once", async () => {
    line.open(guest);
    const [stop, stopToo] = [line.watch(GAME), line.watch(GAME)];
    await ear.next("snapshot");
    await w.live(60_000);
    expect((await ear.next("result")).expect).toBe("20260302-0001");
    stop();
    stop();
    await w.live(60_000);
    expect((await ear.next("result", 2)).expect).toBe("20260302-0002");
    stopToo();
    await vi.waitFor(() => expect(watchers()).toBe(0));
  });

  it("of which there is none brings nothing, and does no harm", async () => {
    line.watch("none");
    line.watch(GAME);
    line.open(guest);
    await ear.next("snapshot");
    expect([ear.all("snapshot").length, ear.ups()]).toEqual([1, [true]]);
  });

  it("goes on after the server was restarted, with a fresh snapshot", async () => {
    await w.game({ ...MINUTE_GAME, key: "given-up" });
    line.watch(GAME);
    const stop = line.watch("given-up");
    line.open(guest);
    await ear.next("snapshot", 2);
    const restarted = restart();
    await ear.next("connection", 2);
    stop();
    w.pass(500);
    await restarted;
    expect((await ear.next("snapshot", 3)).server_now_ms).toBe(w.now());
    expect([ear.ups(), watchers(), watchers("given-up")]).toEqual([[true, false, true], 1, 0]);
  });
});

describe("the line of a member", () => {
  it("hears what is theirs, in their language", async () => {
    line.open(member);
    await ear.next("hello");
    await bet(w, mia, 10, "A,B");
    expect(await ear.next("balance")).toMatchObject({ money: "80.00", type: "stake" });
    await w.live(60_000);
    expect(await ear.next("settled")).toMatchObject({ key: GAME, expect: "20260302-0001" });
  });

  it("is opened anew for somebody else: nothing of the first is heard any more", async () => {
    const ben = await w.player("ben_1", { balance: 100 });
    line.open(member);
    await ear.next("hello");
    line.open(() => ({ lang: "en_us", token: ben.token }));
    await ear.next("hello", 2);
    await bet(w, mia, 10);
    await bet(w, ben, 20);
    await ear.next("balance");
    expect(ear.all("balance").map(({ delta }) => delta)).toEqual(["-20.00"]);
    expect([ear.ups(), sockets().size]).toEqual([[true, false, true], 1]);
  });

  it("is one line, though it is opened twice in the same moment", async () => {
    line.watch(GAME);
    line.open(guest);
    line.open(member);
    await ear.next("snapshot");
    await bet(w, mia, 10);
    await ear.next("balance");
    await vi.waitFor(() => expect(sockets().size).toBe(1));
    expect([ear.all("hello").length, ear.all("snapshot").length, ear.all("balance").length]).toEqual([1, 1, 1]);
  });
});

describe("a token that is no longer good", () => {
  it("is refused: the bus is told once, and it is not tried again", async () => {
    const tried = vi.spyOn(w.deps, "identify");
    line.open(() => ({ lang: "es_spa", token: "nobody's" }));
    const msg = messagesOf("es_spa").refusal.session!.missing;
    expect(await ear.next("refused")).toEqual({ code: 401, msg });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([ear.all("refused").length, tried.mock.calls.length, ear.ups()]).toEqual([1, 1, [false]]);
  });

  it("opens as a guest's when it is opened anew", async () => {
    let token: string | null = "nobody's";
    const credentials = () => (token ? { lang: "en_us", token } : { lang: "en_us" });
    line.open(credentials);
    await ear.next("refused");
    token = null;
    line.open(credentials);
    await ear.next("hello");
    expect(ear.ups()).toEqual([false, true]);
  });

  it("since the operator ended the session is told with the kick, and refused with its code from then on", async () => {
    line.open(member);
    await ear.next("hello");
    await kick(w, mia.memberId, "Please call us");
    expect(await ear.next("kick")).toEqual({ code: 10_001, msg: "Please call us" });
    expect(await ear.next("refused")).toEqual({ code: 10_001, msg: "Please call us" });
    expect(ear.ups()).toEqual([true, false]);
  });

  it("since the session was left elsewhere is refused when it is tried again", async () => {
    line.open(member);
    await ear.next("hello");
    await mia.call("/member/doLogout", {});
    expect((await ear.next("refused")).code).toBe(401);
    expect(ear.all("kick")).toEqual([]);
  });

  it("is not what a fault of the server is taken for: that is tried again", async () => {
    vi.spyOn(w.deps, "identify").mockRejectedValueOnce(new Error("the database is away"));
    line.open(member);
    await ear.next("hello");
    expect([ear.all("refused"), ear.ups()]).toEqual([[], [false, true]]);
  });
});
