import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { keepCurrent } from "#client/api/keep-current.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { newerWallet } from "#client/api/wallet.ts";
import { gameList, lotteryHistory, lotteryOdds, ownRounds } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { text } from "#client/text/i18n.ts";
import { messageList } from "#shared/contract/member.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { noticeList, systemBase, systemConfig } from "#shared/contract/site.ts";
import { ownVideos, watching, watchPlace } from "#shared/contract/video.ts";
import { getLimits, moneyLog } from "#shared/contract/wallet.ts";
import { withdrawList } from "#shared/contract/withdrawals.ts";

const SPREAD_MS = 400;
/** The calls that list a wallet's changes. */
const LISTS = [gameList.path, getLimits.path, moneyLog.path].sort();
const WITH_TABLE = [ownRounds.path, ...LISTS].sort();
const PATHS = [
  getUserInfo,
  systemBase,
  getLimits,
  moneyLog,
  gameList,
  rechargeList,
  withdrawList,
  messageList,
  noticeList,
  lotteryHistory,
  lotteryOdds,
  ownRounds,
  ownVideos,
  watchPlace,
  watching,
].map(({ path }) => path);
const wallet = (version: number) => ({ money: `${version}.00`, money_value: `¥${version}`, version });
const user = { id: "1", username: "mia_1", status: 1, is_see: 0, member_until: 0, ...wallet(3) };
const result = {
  key: "k",
  expect: "0001",
  kind: "",
  opencode: [6, 1],
  one: null,
  two: null,
  sum: 7,
  seed: "5",
  head: null,
  witnesses: { keys: [] as string[], needed: 0 },
  rule: "none",
  beacon: "",
  beacon_signature: "",
};
const outcome = { orders: [], win: "0.00", ...wallet(4) };
const hello = { server_now_ms: 0, login_out: 1, head: null, witnesses: { keys: [] as string[], needed: 0 } } as const;
const answers = new QueryClient({
  defaultOptions: { queries: { structuralSharing: newerWallet, staleTime: Infinity } },
});
let asked: string[] = [];
let random = 0;
/** Where the next wait lies between none and the longest. */
let chance = () => random;
let stops: (() => void)[];
/** What the server answers beside empty lists, and until when its answers are under way. */
let says: Record<string, object>;
let underWay: Promise<unknown>;

/** Screens show all of it; each answer is the first one. */
beforeAll(() => {
  writeStored("viodeLang", "en_us");
  keepCurrent(answers, (upToMs) => chance() * upToMs);
});
beforeEach(async () => {
  vi.useFakeTimers();
  says = { [getUserInfo.path]: user, [systemBase.path]: { name: "Trio", isplay: 1 } };
  underWay = Promise.resolve();
  stops = PATHS.map((path) => {
    const queryFn = async () => {
      asked.push(path);
      const answer = says[path] ?? [];
      await underWay;
      return answer;
    };
    return new QueryObserver(answers, { queryKey: [path, {}, "en_us"], queryFn }).subscribe(() => {});
  });
  await vi.advanceTimersByTimeAsync(0);
  [asked, random] = [[], 0];
});
afterEach(() => {
  stops.forEach((stop) => stop());
  answers.clear();
  vi.useRealTimers();
});
afterAll(() => bus.all.clear());

const shown = (path: string) => answers.getQueryData([path, {}, "en_us"]);
/** Exactly the calls that are made again. */
async function askedAfter(ms = 0): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(ms);
  return asked.sort();
}

describe("a push", () => {
  it("of the balance shows it, and refetches the lists of it", async () => {
    bus.emit("balance", { ...wallet(4), delta: "1.00", type: "credit" });
    expect(shown(getUserInfo.path)).toEqual({ ...user, ...wallet(4) });
    expect(await askedAfter()).toEqual(WITH_TABLE);
  });

  it("of a bet made elsewhere shows the balance, and refetches the lists of it", async () => {
    bus.emit("settled", { key: "k", expect: "0001", ...outcome });
    expect(shown(getUserInfo.path)).toEqual({ ...user, ...wallet(4) });
    expect(await askedAfter()).toEqual(WITH_TABLE);
  });

  it("of a result makes no call; with the member's bet it shows the balance and refetches their lists", async () => {
    bus.emit("result", result);
    expect(await askedAfter(SPREAD_MS)).toEqual([]);
    expect(shown(getUserInfo.path)).toEqual(user);
    bus.emit("result", { ...result, mine: outcome });
    expect(shown(getUserInfo.path)).toEqual({ ...user, ...wallet(4) });
    expect(await askedAfter()).toEqual(LISTS);
  });

  it("to all clients does not make them all call at the same moment", async () => {
    random = 0.5;
    bus.emit("result", { ...result, mine: outcome });
    bus.emit("settled", { key: "k", expect: "0001", ...outcome });
    expect(await askedAfter(SPREAD_MS / 2 - 1)).toEqual([]);
    expect(await askedAfter(1)).toContain(moneyLog.path);
  });

  it("of a top-up or a notice refetches its list", async () => {
    bus.emit("record", { kind: "recharge", id: "1", status: 2, status_text: "Paid" });
    expect(await askedAfter()).toEqual([rechargeList.path]);
    bus.emit("notice", { id: "1", name: "N", text: "T", create_time: 0 });
    expect(await askedAfter()).toEqual([noticeList.path, rechargeList.path].sort());
  });

  it("of a withdrawal refetches its list, the money log and the messages, and not the top-ups", async () => {
    bus.emit("record", { kind: "withdraw", id: "1", status: 2, status_text: "Approved" });
    expect(await askedAfter()).toEqual([moneyLog.path, withdrawList.path, messageList.path].sort());
  });

  it("of messages read on another device refetches them", async () => {
    bus.emit("messagesRead", { id: "msg_1" });
    expect(await askedAfter()).toEqual([messageList.path]);
  });

  it("of the history's switch moves it, and refetches what was watched", async () => {
    bus.emit("history", { keeps_history: 0 });
    const [[, known]] = answers.getQueriesData({ queryKey: [getUserInfo.path] }) as [[unknown, object]];
    expect(known).toEqual({ ...user, keeps_history: 0 });
    expect(await askedAfter()).toEqual([ownVideos.path, watchPlace.path, watching.path].sort());
  });

  it("of a notice is announced, and shown in the last one's place", () => {
    const toasts = vi.fn<() => void>();
    bus.on("toast", toasts);
    answers.setQueryData([systemConfig.path, {}, "en_us"], { banners: [], notice: "Old" });
    bus.emit("notice", { id: "1", name: "N", text: "T", create_time: 0 });
    bus.off("toast", toasts);
    expect(toasts.mock.calls).toEqual([[{ text: "N", tone: "plain" }]]);
    expect(shown(systemConfig.path)).toEqual({ banners: [], notice: "T" });
  });

  it("of the account status or the site's settings is shown, and only the messages are refetched", async () => {
    bus.emit("accountStatus", { status: 0, is_see: 1, member_until: 7 });
    bus.emit("site", { isplay: 0 });
    expect(shown(getUserInfo.path)).toEqual({ ...user, status: 0, is_see: 1, member_until: 7 });
    expect(shown(systemBase.path)).toEqual({ name: "Trio", isplay: 0 });
    expect(await askedAfter()).toEqual([messageList.path]);
  });

  it("of account status, settings or a notice is not undone by an older answer that is still under way", async () => {
    says[systemConfig.path] = { banners: [], notice: "Old" };
    const queryFn = async () => {
      const answer = says[systemConfig.path];
      await underWay;
      return answer;
    };
    const config = { queryKey: [systemConfig.path, {}, "en_us"], queryFn };
    stops.push(new QueryObserver(answers, config).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(0);
    const arrives = Promise.withResolvers<void>();
    underWay = arrives.promise;
    void answers.invalidateQueries();
    await vi.advanceTimersByTimeAsync(0);
    underWay = Promise.resolve();
    says[systemBase.path] = { name: "Trio", isplay: 0 };
    says[getUserInfo.path] = { ...user, is_see: 1 };
    bus.emit("site", { isplay: 0 });
    bus.emit("accountStatus", { status: 1, is_see: 1, member_until: 7 });
    says[systemConfig.path] = { banners: [], notice: "T" };
    bus.emit("notice", { id: "1", name: "N", text: "T", create_time: 0 });
    arrives.resolve();
    await vi.advanceTimersByTimeAsync(0);
    const now = [systemBase, getUserInfo, systemConfig].map(({ path }) => shown(path));
    expect(now).toMatchObject([{ isplay: 0 }, { is_see: 1 }, { notice: "T" }]);
  });

  it("is no answer: what is to be asked again still is", async () => {
    stops.forEach((stop) => stop());
    void answers.invalidateQueries();
    bus.emit("site", { isplay: 0 });
    bus.emit("balance", { ...wallet(4), delta: "1.00", type: "credit" });
    expect([shown(systemBase.path), shown(getUserInfo.path)]).toMatchObject([{ isplay: 0 }, wallet(4)]);
    const states = [systemBase, getUserInfo].map(({ path }) => answers.getQueryState([path, {}, "en_us"]));
    expect(states).toMatchObject([{ isInvalidated: true }, { isInvalidated: true }]);
  });

  it("of a membership's end is announced once, and only to a member who saw it run", () => {
    const toasts = vi.fn<() => void>();
    bus.on("toast", toasts);
    const counts = ([0, 1, 0, 0] as const).map((is_see) => {
      bus.emit("accountStatus", { status: 1, is_see, member_until: 7 });
      return toasts.mock.calls.length;
    });
    bus.off("toast", toasts);
    expect([counts, toasts.mock.lastCall]).toEqual([[0, 0, 1, 1], [{ text: text("plan.endedNow"), tone: "plain" }]]);
  });

  it("about data that is not shown does nothing", async () => {
    stops.forEach((stop) => stop());
    answers.clear();
    bus.emit("accountStatus", { status: 0, is_see: 1, member_until: 7 });
    bus.emit("site", { isplay: 0 });
    bus.emit("notice", { id: "1", name: "N", text: "T", create_time: 0 });
    bus.emit("result", { ...result, mine: outcome });
    expect([await askedAfter(), answers.getQueryCache().getAll()]).toEqual([[], []]);
  });
});

describe("a restored backup", () => {
  it("refetches the member, since its versions cannot be compared with the old ones", async () => {
    bus.emit("hello", { ...hello, epoch: "a" });
    bus.emit("hello", { ...hello, epoch: "a" });
    expect(await askedAfter()).toEqual([]);
    bus.emit("balance", { ...wallet(9), delta: "6.00", type: "credit" });
    bus.emit("hello", { ...hello, epoch: "b" });
    await askedAfter();
    expect(asked).toContain(getUserInfo.path);
    expect(shown(getUserInfo.path)).toEqual(user);
  });
});

describe("the connection", () => {
  it("fetches each of the pushed data in a moment of its own when it first comes up, so that no tap waits for all", async () => {
    let waits = 0;
    chance = () => waits++ / SPREAD_MS;
    bus.emit("connection", { up: true });
    chance = () => random;
    const together: number[] = [];
    for (let ms = 0; ms <= SPREAD_MS; ms++) {
      const before = asked.length;
      await vi.advanceTimersByTimeAsync(ms === 0 ? 0 : 1);
      if (asked.length > before) together.push(asked.length - before);
    }
    expect(together.length).toBeGreaterThan(1);
    expect(Math.max(...together)).toBe(1);
  });

  it("fetches pushed data when it first comes up, and everything after it was away", async () => {
    bus.emit("connection", { up: true });
    const watched = [ownVideos.path, watchPlace.path, watching.path];
    const unaffected = new Set<string>([lotteryHistory.path, lotteryOdds.path, ...watched]);
    expect(await askedAfter(SPREAD_MS)).toEqual(PATHS.filter((path) => !unaffected.has(path)).sort());
    [asked, random] = [[], 1];
    for (let i = 0; i < 2; i++) {
      bus.emit("connection", { up: false });
      expect(await askedAfter(SPREAD_MS)).toEqual([]);
      bus.emit("connection", { up: true });
      expect(await askedAfter(SPREAD_MS - 1)).toEqual([]);
      expect(await askedAfter(1)).toEqual([...PATHS].sort());
      asked = [];
    }
  });

  it("repeats a first request that hangs on the dead connection, and leaves a quick one alone", async () => {
    const calls = { hung: 0, slow: 0 };
    const hung = () => (calls.hung++ === 0 ? new Promise<never>(() => {}) : Promise.resolve("new"));
    const slow = () => (calls.slow++, new Promise((resolve) => setTimeout(() => resolve("old"), 500)));
    const begun = [hung, slow].map((queryFn) => new QueryObserver(answers, { queryKey: [queryFn.name], queryFn }));
    const stopThem = begun.map((observer) => observer.subscribe(() => {}));
    bus.emit("connection", { up: false });
    bus.emit("connection", { up: true });
    random = 1;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([answers.getQueryData(["hung"]), answers.getQueryData(["slow"])]).toEqual(["new", "old"]);
    expect(calls).toEqual({ hung: 2, slow: 1 });
    stopThem.forEach((stop) => stop());
  });
});
