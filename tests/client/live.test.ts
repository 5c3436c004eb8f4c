import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { answers } from "#client/api/answers.ts";
import { call } from "#client/api/call.ts";
import { readStored, writeStored } from "#client/api/stored.ts";
import { showLanguage } from "#client/i18n.ts";
import { leave, startLive } from "#client/live.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { kick, lock, set } from "../support/operator.ts";
import { world, type World } from "../support/world.ts";
import { BusEar } from "./api/bus-ear.ts";
import { openPage } from "./api/page.ts";

let w: World;
let ear: BusEar;
let people = 0;
/** What the browser tells the page. */
const page = { document: new EventTarget(), window: new EventTarget() };
Object.assign(page.document, { visibilityState: "visible", documentElement: {} });

beforeAll(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  openPage(await w.listen());
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("window", page.window);
  await showLanguage("en_us", { remember: true });
  ear = new BusEar();
  // As in the browser, a screen may have been answered before.
  await set(w, "login_out", "1");
  await answer(systemBase);
  startLive();
  await ear.next("hello");
});
afterAll(async () => {
  ear.close();
  writeStored("token", "");
  vi.unstubAllGlobals();
  await w.close();
});
beforeEach(() => void (ear.heard.length = 0));

const KEY = (path: string) => [path, {}, "en_us"];
function answer(endpoint: typeof getUserInfo | typeof systemBase) {
  return answers.fetchQuery({ queryKey: KEY(endpoint.path), queryFn: () => call(endpoint) });
}
const lines = () => [...w.site.hub.io.sockets.sockets.values()];
const membersOnLine = () => lines().map(({ data }) => data.caller?.memberId ?? null);
/** Somebody who has just logged in on this device. */
async function enter() {
  const player = await w.player(`mia_${++people}`);
  writeStored("token", player.token);
  await vi.waitFor(() => expect(membersOnLine()).toEqual([player.memberId]));
  return player;
}
async function isLeft(why: "logout" | "ended"): Promise<void> {
  expect(await ear.next("left")).toEqual({ why });
  expect(readStored("token")).toBeNull();
  await vi.waitFor(() => expect(membersOnLine()).toEqual([null]));
  expect(ear.all("left")).toHaveLength(1);
}

describe("a session on this device", () => {
  it("is on the line under its own name, and checked once where the site wants it", async () => {
    const checked = vi.spyOn(globalThis, "fetch");
    await enter();
    const checks = () => checked.mock.calls.filter(([path]) => (path as string).includes("checkloginout"));
    await vi.waitFor(() => expect(checks()).toHaveLength(1));
    checked.mockRestore();
    await answer(getUserInfo);
    leave();
    await isLeft("logout");
    expect(answers.getQueryData(KEY(getUserInfo.path))).toBeUndefined();
  });

  it("ends a moment after the operator's word", async () => {
    const { memberId } = await enter();
    const from = performance.now();
    await kick(w, memberId, "Please call us");
    await isLeft("ended");
    expect(performance.now() - from).toBeGreaterThan(1_490);
    expect(ear.all("toast")).toEqual([{ text: "Please call us", tone: "bad" }]);
  });

  it("ends at once when a call is not authenticated", async () => {
    const player = await enter();
    await player.call("/member/doLogout", {});
    await answer(getUserInfo).catch(() => {});
    await isLeft("ended");
    expect(ear.all("toast")).toHaveLength(1);
  });

  it("ends when the account goes offline, by push or by answer", async () => {
    const first = await enter();
    await answer(getUserInfo);
    await lock(w, first.memberId, true);
    await isLeft("ended");
    expect(ear.all("toast").map(({ tone }) => tone)).toEqual(["bad"]);
    ear.heard.length = 0;
    const second = await enter();
    await lock(w, second.memberId, true);
    await answer(getUserInfo);
    await isLeft("ended");
  });

  it("gives way to the one that another tab has begun, and nothing of the first is kept", async () => {
    await enter();
    await answer(getUserInfo);
    const next = await enter();
    expect(answers.getQueryData(KEY(getUserInfo.path))).toBeUndefined();
    expect([ear.all("left"), readStored("token")]).toEqual([[], next.token]);
  });
});

/** What the server hears on the line from now on; what came of its opening is over. */
async function listened() {
  await vi.waitFor(() => expect(lines()).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 400));
  const heard = vi.fn<() => void>();
  lines()[0]!.onAny(heard);
  return heard;
}

describe("the line", () => {
  it("is one, and speaks the language that was chosen", async () => {
    const { memberId } = await enter();
    await showLanguage("ko_kr", { remember: true });
    await showLanguage("ja_ja", { remember: true });
    await vi.waitFor(() => expect(lines().map(({ data }) => data.locale)).toEqual(["ja_ja"]));
    expect(membersOnLine()).toEqual([memberId]);
    await showLanguage("en_us", { remember: true });
  });

  it.each(["online", "pageshow", "focus", "visibilitychange"])("is tried at once on %s", async (event) => {
    const heard = await listened();
    page[event === "visibilitychange" ? "document" : "window"].dispatchEvent(new Event(event));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith("lottery:watch", "", expect.any(Function)));
  });

  it("is left in peace while the page is hidden", async () => {
    const heard = await listened();
    Object.assign(page.document, { visibilityState: "hidden" });
    page.document.dispatchEvent(new Event("visibilitychange"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).not.toHaveBeenCalled();
  });
});
