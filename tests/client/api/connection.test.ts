import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "#client/api/connect.ts";
import { LiveConnection, type Credentials } from "#client/api/connection.ts";
import { serverTime } from "#client/api/server-time.ts";
import { rooms } from "#shared/contract/events.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { bet } from "../../support/ledger.ts";
import { kick } from "../../support/operator.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { messagesOf } from "../../server/http/endpoints.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let w: World;
let mia: Player;
let recorder: BusRecorder;
let line: LiveConnection;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
  openPage(await w.listen());
  recorder = new BusRecorder();
  line = new LiveConnection(connect, { again: 20, spread: 20 });
});
afterEach(async () => {
  line.close();
  recorder.close();
  vi.unstubAllGlobals();
  await w.close();
});

const GAME = MINUTE_GAME.key;
const guest = (): Credentials => ({ lang: "en_us" });
const member = (): Credentials => ({ lang: "ko_kr", token: mia.token });
const sockets = () => w.site.hub.io.sockets.sockets;
/** How many of the server's sockets are in the game's room. */
const watchers = (key = GAME) => w.site.hub.io.sockets.adapter.rooms.get(rooms.game(key))?.size ?? 0;
/** Starts the same server again at the same address. */
async function restart(): Promise<void> {
  const port = Number(new URL(await w.listen()).port);
  await w.restart();
  await w.site.app.listen({ host: "127.0.0.1", port });
}

describe("watching a game", () => {
  it("before the connection is up gets a snapshot once it is, and the server's time", async () => {
    serverTime.forget();
    line.watch(GAME);
    line.open(guest);
    const { key, next_expect, server_now_ms } = await recorder.next("snapshot");
    expect([key, next_expect, server_now_ms]).toEqual([GAME, "20260302-0001", w.now()]);
    expect(Math.abs(serverTime.now()! - w.now())).toBeLessThan(5_000);
    expect(recorder.received.map(({ event }) => event).slice(0, 2)).toEqual(["connection", "hello"]);
  });

  it("is not needed for the server's time, which comes again on each connection", async () => {
    serverTime.update(w.now() + 60_000);
    line.open(guest);
    await recorder.next("hello");
    expect(Math.abs(serverTime.now()! - w.now())).toBeLessThan(5_000);
  });

  it("on an open connection gets a snapshot at once, for each watcher", async () => {
    line.open(guest);
    await recorder.next("hello");
    line.watch(GAME);
    await recorder.next("snapshot");
    line.watch(GAME);
    await recorder.next("snapshot", 2);
    expect(watchers()).toBe(1);
  });

  it("gets pushes until the last watcher stops; stopping twice counts once", async () => {
    line.open(guest);
    const [stop, stopToo] = [line.watch(GAME), line.watch(GAME)];
    await recorder.next("snapshot");
    await w.live(60_000);
    expect((await recorder.next("result")).expect).toBe("20260302-0001");
    stop();
    stop();
    await w.live(60_000);
    expect((await recorder.next("result", 2)).expect).toBe("20260302-0002");
    stopToo();
    await vi.waitFor(() => expect(watchers()).toBe(0), PATIENTLY);
  });

  it("of an unknown game gets nothing, and does no harm", async () => {
    line.watch("none");
    line.watch(GAME);
    line.open(guest);
    await recorder.next("snapshot");
    expect([recorder.all("snapshot").length, recorder.ups()]).toEqual([1, [true]]);
  });

  it("goes on after a server restart, with a fresh snapshot", async () => {
    await w.game({ ...MINUTE_GAME, key: "given-up" });
    line.watch(GAME);
    const stop = line.watch("given-up");
    line.open(guest);
    await recorder.next("snapshot", 2);
    const restarted = restart();
    await recorder.next("connection", 2);
    stop();
    w.pass(500);
    await restarted;
    expect((await recorder.next("snapshot", 3)).server_now_ms).toBe(w.now());
    expect([recorder.ups(), watchers(), watchers("given-up")]).toEqual([[true, false, true], 1, 0]);
  });
});

describe("a member's connection", () => {
  it("gets their own pushes, in their language", async () => {
    line.open(member);
    await recorder.next("hello");
    await bet(w, mia, 10, "A,B");
    expect(await recorder.next("balance")).toMatchObject({ money: "80.00", type: "stake" });
    await w.live(60_000);
    expect(await recorder.next("settled")).toMatchObject({ key: GAME, expect: "20260302-0001" });
  });

  it("is replaced for another member: nothing of the first arrives any more", async () => {
    const ben = await w.player("ben_1", { balance: 100 });
    line.open(member);
    await recorder.next("hello");
    line.open(() => ({ lang: "en_us", token: ben.token }));
    await recorder.next("hello", 2);
    await bet(w, mia, 10);
    await bet(w, ben, 20);
    await recorder.next("balance");
    expect(recorder.all("balance").map(({ delta }) => delta)).toEqual(["-20.00"]);
    expect([recorder.ups(), sockets().size]).toEqual([[true, false, true], 1]);
  });

  it("is one, though it is opened twice at the same moment", async () => {
    line.watch(GAME);
    line.open(guest);
    line.open(member);
    await recorder.next("snapshot");
    await bet(w, mia, 10);
    await recorder.next("balance");
    await vi.waitFor(() => expect(sockets().size).toBe(1), PATIENTLY);
    expect([recorder.all("hello").length, recorder.all("snapshot").length, recorder.all("balance").length]).toEqual([
      1, 1, 1,
    ]);
  });
});

describe("an invalid token", () => {
  it("is refused: the bus announces it once, and there is no retry", async () => {
    const tried = vi.spyOn(w.deps, "identify");
    line.open(() => ({ lang: "es_spa", token: "nobody's" }));
    const msg = messagesOf("es_spa").refusal.session!.missing;
    expect(await recorder.next("refused")).toEqual({ code: 401, msg });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([recorder.all("refused").length, tried.mock.calls.length, recorder.ups()]).toEqual([1, 1, [false]]);
  });

  it("connects as a guest when it is opened again", async () => {
    let token: string | null = "nobody's";
    const credentials = () => (token ? { lang: "en_us", token } : { lang: "en_us" });
    line.open(credentials);
    await recorder.next("refused");
    token = null;
    line.open(credentials);
    await recorder.next("hello");
    expect(recorder.ups()).toEqual([false, true]);
  });

  it("since the operator ended the session is announced as a kick, and refused with its code from then on", async () => {
    line.open(member);
    await recorder.next("hello");
    await kick(w, mia.memberId, "Please call us");
    expect(await recorder.next("kick")).toEqual({ code: 10_001, msg: "Please call us" });
    expect(await recorder.next("refused")).toEqual({ code: 10_001, msg: "Please call us" });
    expect(recorder.ups()).toEqual([true, false]);
  });

  it("since a logout elsewhere is refused on reconnecting", async () => {
    line.open(member);
    await recorder.next("hello");
    await mia.call("/member/doLogout", {});
    expect((await recorder.next("refused")).code).toBe(401);
    expect(recorder.all("kick")).toEqual([]);
  });

  it("is not assumed on a server error, which is retried", async () => {
    vi.spyOn(w.deps, "identify").mockRejectedValueOnce(new Error("the database is away"));
    line.open(member);
    await recorder.next("hello");
    expect([recorder.all("refused"), recorder.ups()]).toEqual([[], [false, true]]);
  });
});
