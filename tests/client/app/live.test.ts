import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "#client/api/queries.ts";
import { call } from "#client/api/call.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { showLanguage } from "#client/text/i18n.ts";
import type { Left } from "#client/machines/session.ts";
import type { ToWorker } from "#client/watch/messages.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { kick, lock, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { BusRecorder } from "../api/bus-recorder.ts";
import { openPage } from "../api/page.ts";

let w: World;
let recorder: BusRecorder;
let people = 0;
let first: Player;
let live: { startLive(): void; leave(): void };
/** The paths of all calls so far. */
const asked: string[] = [];
/** What the watcher beside the page was told. */
const told: ToWorker[] = [];
class WorkerBeside extends EventTarget {
  readonly postMessage = (said: ToWorker): void => void told.push(said);
}
/** The browser's events. */
const page = { document: new EventTarget(), window: new EventTarget() };
Object.assign(page.window, { requestIdleCallback: (begin: () => void) => setTimeout(begin, 0) });
Object.assign(page.window, { history: { state: { idx: 0 } } });
Object.assign(page.document, {
  visibilityState: "visible",
  querySelector: () => null,
  documentElement: {},
  defaultView: page.window,
});

beforeAll(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  openPage(await w.listen());
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("window", page.window);
  vi.stubGlobal("Worker", WorkerBeside);
  await showLanguage("en_us", { remember: true });
  recorder = new BusRecorder();
  await set(w, "login_out", "1");
  // As in the browser, the device has stored a session, and a screen has its data.
  first = await w.player("mia_0");
  writeStored("token", first.token);
  await answer(systemBase);
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string, request?: RequestInit) => {
    asked.push(path);
    return fetch(path, request);
  });
  const { startLastKnown } = await import("#client/app/last-known.ts");
  startLastKnown();
  live = await import("#client/app/live.ts");
  live.startLive();
  await recorder.next("hello");
});
afterAll(async () => {
  recorder.close();
  writeStored("token", "");
  vi.unstubAllGlobals();
  await w.close();
});
beforeEach(() => void (recorder.received.length = 0));

const KEY = (path: string) => [path, {}, "en_us"];
function answer(endpoint: typeof getUserInfo | typeof systemBase) {
  return queryClient.fetchQuery({ queryKey: KEY(endpoint.path), queryFn: () => call(endpoint) });
}
const checks = () => asked.filter((path) => path.includes("checkloginout")).length;
const lines = () => [...w.site.hub.io.sockets.sockets.values()];
const membersOnLine = () => lines().map(({ data }) => data.caller?.memberId ?? null);
/** A member who has just logged in on this device. */
async function enter() {
  const player = await w.player(`mia_${++people}`);
  writeStored("token", player.token);
  await vi.waitFor(() => expect(membersOnLine()).toEqual([player.memberId]), PATIENTLY);
  return player;
}
async function isLeft(left: Left): Promise<void> {
  expect(await recorder.next("left")).toEqual(left);
  expect(readStored("token")).toBeNull();
  await vi.waitFor(() => expect(membersOnLine()).toEqual([null]), PATIENTLY);
  expect(recorder.all("left")).toHaveLength(1);
}

describe("a session on this device", () => {
  it("that is stored is checked at start where the site requires it, and is on the connection", async () => {
    await vi.waitFor(() => expect(checks()).toBe(1), PATIENTLY);
    expect(membersOnLine()).toEqual([first.memberId]);
    live.leave();
    await isLeft({ why: "logout" });
  });

  it("is checked at login, and leaves no trace at logout", async () => {
    const before = checks();
    await enter();
    await vi.waitFor(() => expect(checks()).toBe(before + 1), PATIENTLY);
    await answer(getUserInfo);
    live.leave();
    await isLeft({ why: "logout" });
    expect(queryClient.getQueryData(KEY(getUserInfo.path))).toBeUndefined();
  });

  it("ends a moment after the operator's message", async () => {
    const { memberId } = await enter();
    const from = performance.now();
    await kick(w, memberId, "Please call us");
    await isLeft({ why: "ended" });
    expect(performance.now() - from).toBeGreaterThan(1_490);
    expect(recorder.all("toast")).toEqual([{ text: "Please call us", tone: "bad" }]);
  });

  it("ends at once when a call is not authenticated", async () => {
    const player = await enter();
    await player.call("/member/doLogout", {});
    const from = performance.now();
    await answer(getUserInfo).catch(() => {});
    await isLeft({ why: "ended" });
    expect(performance.now() - from).toBeLessThan(1_400);
    expect(recorder.all("toast")).toHaveLength(1);
  });

  it("ends when the account is locked, by push or by answer, and takes along why", async () => {
    const first = await enter();
    await answer(getUserInfo);
    await lock(w, first.memberId, true);
    const msg = "Your account is suspended. Please contact customer service.";
    await isLeft({ why: "locked", msg });
    expect(recorder.all("toast")).toEqual([{ text: msg, tone: "bad" }]);
    recorder.received.length = 0;
    const second = await enter();
    await w.deps.db.transact((tx) => tellSecurity(tx, w.deps, second.memberId, "locked", { reason: "Two accounts" }));
    await lock(w, second.memberId, true);
    await answer(getUserInfo);
    await isLeft({ why: "locked", msg: `${msg} Reason: Two accounts` });
  });

  it("gives way to one that another tab has begun, and nothing of the first stays stored", async () => {
    await enter();
    await answer(getUserInfo);
    const next = await enter();
    expect(queryClient.getQueryData(KEY(getUserInfo.path))).toBeUndefined();
    expect([recorder.all("left"), readStored("token")]).toEqual([[], next.token]);
  });
});

describe("a language", () => {
  it("is the screen's until this tab chooses another, whatever other tabs do", async () => {
    await set(w, "name", JSON.stringify({ en_us: "Trio", ko_kr: "트리오" }));
    writeStored("viodeLang", "ko_kr");
    expect((await call(systemBase)).name).toBe("Trio");
    writeStored("viodeLang", "en_us");
  });

  it("that is chosen again shows no outdated balance", async () => {
    await enter();
    await answer(getUserInfo);
    await showLanguage("ko_kr");
    await showLanguage("en_us");
    expect(queryClient.getQueryData(KEY(getUserInfo.path))).toBeUndefined();
    live.leave();
    await isLeft({ why: "logout" });
  });
});

/** The server's sockets from now on; those of its opening are done. */
async function listened() {
  await vi.waitFor(() => expect(lines()).toHaveLength(1), PATIENTLY);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const received = vi.fn<() => void>();
  lines()[0]!.onAny(received);
  return received;
}

describe("what the house signs of the member", () => {
  const notes = () =>
    told.flatMap((said) => (said.to === "event" && said.event.type === "chain" ? [said.event.note] : []));
  const hear = (queryFn: () => UserInfo | Promise<UserInfo>) =>
    queryClient.fetchQuery({ queryKey: KEY(getUserInfo.path), queryFn, staleTime: 0 });

  it("is told to the watcher with each answer, the same again and none too, and not with what is pushed", async () => {
    await enter();
    await vi.waitFor(() => expect(told.some(({ to }) => to === "begin")).toBe(true), PATIENTLY);
    told.length = 0;
    const user = await hear(() => call(getUserInfo));
    queryClient.setQueryData(KEY(getUserInfo.path), { ...user, money: "1.00" });
    expect(notes()).toEqual([user.chain]);
    for (const more of [{}, { chain: "" }, { balance_note: "" }]) await hear(() => ({ ...user, ...more }));
    expect(notes()).toEqual([user.chain, user.chain, "", ""]);
    live.leave();
    await isLeft({ why: "logout" });
  });
});

describe("the connection", () => {
  it("is one, in the chosen language", async () => {
    const { memberId } = await enter();
    await showLanguage("ko_kr", { remember: true });
    await showLanguage("ja_ja", { remember: true });
    await vi.waitFor(() => expect(lines().map(({ data }) => data.locale)).toEqual(["ja_ja"]), PATIENTLY);
    expect(membersOnLine()).toEqual([memberId]);
    await showLanguage("en_us", { remember: true });
  });

  it.each(["online", "pageshow", "focus", "visibilitychange"])("is retried at once on %s", async (event) => {
    const received = await listened();
    page[event === "visibilitychange" ? "document" : "window"].dispatchEvent(new Event(event));
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith("lottery:watch", "", expect.any(Function)), PATIENTLY);
  });

  it("is left alone while the page is hidden", async () => {
    const received = await listened();
    Object.assign(page.document, { visibilityState: "hidden" });
    page.document.dispatchEvent(new Event("visibilitychange"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received).not.toHaveBeenCalled();
  });
});
