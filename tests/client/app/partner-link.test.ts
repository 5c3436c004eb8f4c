import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, readStored, writeStored } from "#client/storage/local-storage.ts";
import { browserHistory } from "#client/app/history.ts";
import { showLanguage, text } from "#client/text/i18n.ts";
import { enterByLink, takePartnerLink } from "#client/app/partner-link.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { messagesOf } from "../../server/http/endpoints.ts";
import { enter, partnerWorld, whoHolds } from "../../server/session/partner-world.ts";
import { ticketFor } from "../../support/partner.ts";
import { type World } from "../../support/world.ts";
import { openPage } from "../api/page.ts";

/** The page's address and its history state, as the browser has them. */
const page = vi.hoisted(() => {
  const place = { url: new URL("http://club.example/"), state: null as unknown };
  const go = (state: unknown, _: string, to: string | URL) => {
    place.url = new URL(to, place.url);
    place.state = state;
  };
  const history = {
    get state() {
      return place.state;
    },
    replaceState: go,
    pushState: go,
  };
  const window = {
    history,
    get location() {
      return place.url;
    },
  };
  Object.assign(globalThis, { window, document: { defaultView: window, documentElement: { setAttribute() {} } } });
  return { open: (address: string) => go({ idx: 3 }, "", address) };
});

let w: World;
let isAway = false;

beforeAll(async () => {
  w = await partnerWorld();
  openPage(await w.listen());
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string, request?: RequestInit) =>
    isAway ? Promise.reject(new TypeError("no line")) : fetch(path, request),
  );
  await showLanguage("en_us");
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await w.close();
});
beforeEach(() => {
  isAway = false;
  forgetSession();
  page.open("/");
});

const { open } = page;
const here = () => `${window.location.pathname}${window.location.search}${window.location.hash}`;
/** What somebody logged in here answers, and was asked. */
let answer = true;
let asked: { current: string; name: string }[] = [];
const ask = async (who: { current: string; name: string }) => {
  asked.push(who);
  return answer;
};
const linkOf = (username: string) => ({ sso: ticketFor(username, w.now()), username });
const failed = () => messagesOf("en_us").refusal.login!.ticket!;

describe("the address of a page", () => {
  it("gives its ticket once, and keeps the rest", () => {
    open("/Lottery?key=k3-1m&sso=a.b.c&username=mia_1#top");
    expect(takePartnerLink()).toEqual({ sso: "a.b.c", username: "mia_1" });
    expect([here(), window.history.state]).toEqual(["/Lottery?key=k3-1m#top", { idx: 3 }]);
    expect(takePartnerLink()).toBeNull();
  });

  it.each(["/Home", "/Home?username=mia_1"])("has none in %s", (address) => {
    open(address);
    expect([takePartnerLink(), here()]).toEqual([null, address]);
  });

  it("without a name drops it all the same, and logs nobody in", () => {
    open("/Home?sso=a.b.c");
    expect([takePartnerLink(), here()]).toEqual([null, "/Home"]);
  });
});

describe("entering by a link", () => {
  it("stores both tokens, with which the session goes on", async () => {
    const link = linkOf("mia_1");
    expect(await enterByLink(link, "en_us", ask)).toEqual({
      text: text("session.welcome", { name: "mia_1" }),
      tone: "good",
    });
    expect(readStored("tokensso")).toBe(link.sso);
    expect((await whoHolds(w, readStored("token")!, link.sso)).data.username).toBe("mia_1");
  });

  it("sends a guest to login when it fails, with the server's text and the way back", async () => {
    open("/Game?x=1");
    expect(await enterByLink({ sso: "a.b.c", username: "mia_1" }, "en_us", ask)).toBeNull();
    expect([here(), readStored("token"), readStored("tokensso")]).toEqual(["/Login", null, null]);
    expect(browserHistory.location.state).toEqual({ refusal: failed(), from: "/Game?x=1" });
  });

  it.each(["/Login", "/register/"])("does not lead back to %s", async (path) => {
    open(path);
    await enterByLink({ sso: "a.b.c", username: "mia_1" }, "en_us", ask);
    expect(browserHistory.location.state).toEqual({ refusal: failed() });
  });

  it("says so when the server could not be reached", async () => {
    isAway = true;
    await enterByLink(linkOf("mia_1"), "en_us", ask);
    expect(browserHistory.location.state).toMatchObject({ refusal: text("state.away") });
  });

  it("leaves a logged-in member alone when it fails", async () => {
    const ben = await w.player("ben_1");
    writeStored("token", ben.token);
    open("/Mine");
    expect(await enterByLink({ sso: "a.b.c", username: "mia_1" }, "en_us", ask)).toEqual({
      text: failed(),
      tone: "bad",
    });
    expect([here(), readStored("token")]).toEqual(["/Mine", ben.token]);
    expect((await whoHolds(w, ben.token)).code).toBe(200);
  });

  it("leaves a session as it is unless its member agrees, and spends no ticket", async () => {
    const ben = await w.player("ben_2");
    writeStored("token", ben.token);
    [answer, asked] = [false, []];
    const link = linkOf("mia_1");
    expect(await enterByLink(link, "en_us", ask)).toBeNull();
    expect([asked, readStored("token")]).toEqual([[{ current: "ben_2", name: "mia_1" }], ben.token]);
    answer = true;
    expect(await enterByLink(link, "en_us", ask)).toMatchObject({ tone: "good" });
  });

  it("asks nobody where no session runs, or the name is the same", async () => {
    asked = [];
    writeStored("token", "of nobody");
    await enterByLink(linkOf("mia_1"), "en_us", ask);
    await enterByLink(linkOf("Mia_1"), "en_us", ask);
    expect(asked).toEqual([]);
  });

  it("replaces the logged-in member, whose session ends", async () => {
    const sso = ticketFor("zoe_1", w.now());
    const { token } = (await enter(w, "zoe_1", sso)).data;
    writeStored("tokensso", sso);
    writeStored("token", token);
    await enterByLink(linkOf("mia_1"), "en_us", ask);
    expect(readStored("token")).not.toBe(token);
    await vi.waitFor(async () => expect((await whoHolds(w, token, sso)).code).toBe(401), PATIENTLY);
    expect((await whoHolds(w, readStored("token")!, readStored("tokensso")!)).data.username).toBe("mia_1");
  });
});
