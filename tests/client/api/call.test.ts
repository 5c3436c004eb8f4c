import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "#client/api/call.ts";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { serverTime } from "#client/api/server-time.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { hotLottery, lotteryInfo, placeOrder } from "#shared/contract/lottery.ts";
import { checkLoginOut, doLogin, getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { roundNow } from "../../support/ledger.ts";
import { kick, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { messagesOf } from "../../server/http/endpoints.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let w: World;
let mia: Player;
let recorder: BusRecorder;

beforeAll(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  openPage(await w.listen());
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await w.close();
});
beforeEach(() => {
  recorder = new BusRecorder();
  writeStored("viodeLang", "en_us");
  writeStored("token", mia.token);
});
afterEach(() => {
  recorder.close();
  forgetSession();
});

/** How a call was refused. */
const refusalOf = (asked: Promise<unknown>): Promise<RefusedCall> =>
  asked.then(
    () => Promise.reject(new Error("it was answered")),
    (error: unknown) => (error instanceof RefusedCall ? error : Promise.reject(error as Error)),
  );

describe("a call", () => {
  it("returns the server's data, in any script", async () => {
    await set(w, "name", JSON.stringify({ en_us: "Trio", ko_kr: "트리오 클럽 ♣" }));
    writeStored("viodeLang", "ko_kr");
    expect(await call(systemBase)).toMatchObject({ name: "트리오 클럽 ♣", server_now_ms: w.now() });
  });

  it("sends the given fields, and omits the others", async () => {
    const { list, count } = await call(moneyLog, { page: "1", limit: undefined });
    expect([list.length, count]).toEqual([1, 1]);
    expect((await call(lotteryInfo, { key: "k3-1m" })).next_expect).toBe(roundNow(w));
  });

  it("is made as the logged-in member, or as a guest", async () => {
    expect((await call(getUserInfo)).username).toBe("mia_1");
    forgetSession();
    expect((await refusalOf(call(getUserInfo))).code).toBe(401);
  });

  it("reads the server's time, alone or in a list", async () => {
    for (const ask of [() => call(lotteryInfo, { key: "k3-1m" }), () => call(hotLottery)]) {
      serverTime.forget();
      await ask();
      expect(Math.abs(serverTime.now()! - w.now())).toBeLessThan(5_000);
    }
    serverTime.forget();
    await call(getUserInfo);
    expect(serverTime.now()).toBeNull();
  });
});

describe("a refusal", () => {
  it.each(["en_us", "ja_ja"] as const)("carries code, reason and text in the caller's language: %s", async (lang) => {
    writeStored("viodeLang", lang);
    const { refusal } = messagesOf(lang);
    const error = await refusalOf(call(doLogin, { username: "mia_1", password: "wrong" }));
    expect([error.code, error.reason, error.message]).toEqual([422, "login.failed", refusal.login!.failed]);
    expect([error.fields, error.lost]).toEqual([{}, false]);
  });

  it("names the wrong fields, with their reasons", async () => {
    writeStored("viodeLang", "th_th");
    const error = await refusalOf(call(placeOrder, { item: "A,A", money: "x", lid: "lot_1", expect: roundNow(w) }));
    const words = Object.values(messagesOf("th_th").field);
    expect([error.code, Object.keys(error.fields).sort()]).toEqual([400, ["item", "money"]]);
    for (const why of Object.values(error.fields)) expect(words).toContain(why);
  });

  it.each([
    [499, false],
    [500, true],
    [503, true],
    [599, true],
    [600, false],
    [10_001, false],
  ])("with code %i leaves it open whether it was done: %s", (code, lost) => {
    expect(new RefusedCall({ code, msg: "", data: null }).lost).toBe(lost);
  });
});

describe("a call with an idempotency key", () => {
  it("is done once, however often it is made, and answered alike", async () => {
    const bet = { item: "A,B", money: "10", lid: "lot_1", expect: roundNow(w) };
    const before = Number((await call(getUserInfo)).money);
    const [first, again] = [await call(placeOrder, bet, { key: "k" }), await call(placeOrder, bet, { key: "k" })];
    expect(again).toEqual(first);
    expect(Number((await call(getUserInfo)).money)).toBe(before - 20);
    expect((await call(placeOrder, bet, { key: "l" })).id).not.toBe(first.id);
    const other = await refusalOf(call(placeOrder, { ...bet, money: "11" }, { key: "k" }));
    expect([other.code, other.reason]).toEqual([409, "key.reused"]);
  });
});

describe("a bet whose answer is lost on the way", () => {
  it("is made once, and answered when it is retried with its key", async () => {
    const bet = { item: "7", money: "10", lid: "lot_1", expect: roundNow(w) };
    const before = Number((await call(getUserInfo)).money);
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (...asked: Parameters<typeof fetch>) => {
      await fetch(...asked);
      throw new TypeError("the line broke");
    });
    await expect(call(placeOrder, bet, { key: "tunnel" })).rejects.toBeInstanceOf(LostCall);
    vi.stubGlobal("fetch", fetch);
    const { balance } = await call(placeOrder, bet, { key: "tunnel" });
    expect([Number(balance), Number((await call(getUserInfo)).money)]).toEqual([before - 10, before - 10]);
  });
});

describe("the end of a session", () => {
  it("is announced on the bus when the server does not know the session", async () => {
    writeStored("token", "nobody's");
    const { message } = await refusalOf(call(checkLoginOut));
    expect(recorder.all("refused")).toEqual([{ code: 401, msg: message }]);
  });

  it("by the operator is announced on the bus, with the reason", async () => {
    const ben = await w.player("ben_1");
    writeStored("token", ben.token);
    expect(await call(checkLoginOut)).toEqual({ login_out: 0 });
    await kick(w, ben.memberId, "Please call us");
    expect((await refusalOf(call(checkLoginOut))).code).toBe(10_001);
    expect(recorder.all("refused")).toEqual([{ code: 10_001, msg: "Please call us" }]);
  });

  it("is not announced when a member who stays is refused", async () => {
    await refusalOf(call(doLogin, { username: "", password: "" }));
    expect(recorder.all("refused")).toEqual([]);
  });

  it("is not announced to a later session by an earlier one's late answer, nor right after a login", async () => {
    for (const before of ["nobody's", null]) {
      if (before === null) forgetSession();
      else writeStored("token", before);
      const late = refusalOf(call(checkLoginOut));
      writeStored("token", mia.token);
      expect((await late).code).toBe(401);
    }
    expect(recorder.all("refused")).toEqual([]);
  });
});
