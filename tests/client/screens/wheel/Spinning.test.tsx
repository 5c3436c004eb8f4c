// @vitest-environment happy-dom
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { serverTime } from "#client/api/server-time.ts";
import { readKept, type Seeds } from "#client/screens/wheel/kept-pairs.ts";
import type { useWheelSeeds } from "#client/screens/wheel/use-wheel-seeds.ts";
import { Spinning } from "#client/screens/wheel/Spinning.tsx";
import { Winners, type useWinners } from "#client/screens/wheel/Winners.tsx";
import type { Prize } from "#shared/contract/wheel.ts";
import { tableHash } from "#shared/wheel.ts";
import { setStage, show, type Site } from "../../../support/Stage.tsx";

setStage();

const PRIZES = ["ten", "fifty"].map((id) => {
  return { id, title: id, image: `/${id}.svg`, weight: 1, probability: 0.5, kind: "points" as const, amount: "1.00" };
});
const TABLE = { id: "tbl_1", hash: tableHash(PRIZES), prizes: PRIZES };
const WON = { id: "fifty", title: "fifty", image: "/fifty.svg", msgmemo: "<p>Yours</p>", nonce: 0, spins_left: 3 };

let server: Server;
let keys: (string | undefined)[] = [];
/** What each request said of its pair. */
let asked: string[] = [];
/** Where it went, and for which table its words are. */
let where: string[] = [];
/** How each request for a spin is answered; the last way repeats. */
let ways: ((response: ServerResponse) => void)[] = [];
const say = (code: number, msg: string, data: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ code, msg, data }));
const answered = say(200, "", WON);
const lost = (response: ServerResponse) => void response.socket!.destroy();

beforeEach(async () => {
  server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"] as string | undefined);
    const way = ways[Math.min(keys.length, ways.length) - 1]!;
    void text(request).then((body) => {
      const { commit, client_seed, table } = Object.fromEntries(new URLSearchParams(body));
      asked.push(`${commit?.[0]} ${client_seed}`);
      where.push(`${request.url} ${table === tableHash(PRIZES) ? "these prizes" : table}`);
      way(response);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  [keys, asked, where, ways] = [[], [], [], [answered]];
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  sessionStorage.clear();
  localStorage.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Seen {
  prizes?: Prize[];
  isOff?: boolean;
  breakEnd?: number | null;
  left?: number;
  daily?: number;
  price?: string;
  /** The winners' list. */
  wins?: string[];
  /** The pair in use. */
  pair?: Pair;
}

type Pair = Pick<Seeds, "number" | "commit" | "client_seed" | "words_by" | "table" | "nonce">;
const [C0, C1] = ["0", "1"].map((digit) => digit.repeat(64)) as [string, string];
const PAIR: Pair = { number: 0, commit: C0, client_seed: "mine", words_by: "member", table: TABLE, nonce: 0 };

function part({
  prizes = PRIZES,
  isOff = false,
  breakEnd = null,
  left = 1,
  daily = 1,
  price = "0.00",
  wins = [],
  pair = PAIR,
}: Seen) {
  const fair = { member: "mem_1", ...pair, next_commit: C1, next_number: 1, previous: null };
  const seeds = { data: { ...fair, spins_left: left, spins_daily: daily, spin_price: price } } as ReturnType<
    typeof useWheelSeeds
  >;
  const won = wins.map((mmname) => ({ image: "/x.svg", mmname, username: "a***b", add_time: 1_772_445_600, demo: 0 }));
  const winners = { data: won } as ReturnType<typeof useWinners>;
  return <Spinning prizes={prizes} isOff={isOff} breakEnd={breakEnd} seeds={seeds} winners={winners} />;
}

function stand(seen: Seen = {}, site: Site = {}) {
  const { change, unmount } = show(part(seen), { site });
  return { change: (next: Seen) => change(part(next)), unmount };
}
const go = () => screen.getByRole("button", { name: /GO/ });
const isLocked = () => go().getAttribute("aria-disabled") === "true";
const press = () => act(() => go().click());
const angle = () => Number(document.querySelector("[data-angle]")!.getAttribute("data-angle"));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const until = (what: () => void) => vi.waitFor(what, { timeout: 20_000, interval: 10 });
const turned = () => until(() => expect(angle()).toBeGreaterThan(0));

describe("a spin", () => {
  it("turns five times to its prize, which is shown half a second after, and goes with OK", async () => {
    stand();
    press();
    await turned();
    expect([angle(), isLocked(), screen.queryByRole("dialog")]).toEqual([6 * 360 - 270, true, null]);
    await pass(5_600);
    await screen.findByText("Yours");
    act(() => screen.getByRole("button", { name: "OK" }).click());
    await until(() => expect(isLocked()).toBe(false));
    expect([keys.length, sessionStorage.getItem("spin")]).toEqual([1, null]);
  });

  it("reveals nothing before the wheel stands: not in the spins left, not among the winners", async () => {
    const { change } = stand();
    press();
    await turned();
    change({ left: 3, wins: ["mine"] });
    expect([screen.queryByText("mine"), screen.getByText("1 spin left")]).toMatchObject([null, {}]);
    await pass(5_600);
    await screen.findByText("mine");
    screen.getByText("3 spins left");
  });

  it("keeps its first wheel, and is shown though the wheel was switched off", async () => {
    const { change } = stand();
    press();
    await turned();
    change({ prizes: [], isOff: true });
    expect([angle(), screen.getAllByText("ten").length]).toEqual([6 * 360 - 270, 2]);
    await pass(5_600);
    await screen.findByText("Yours");
    act(() => screen.getByRole("button", { name: "OK" }).click());
    await screen.findByText("The wheel is switched off");
  });

  it("whose answer is lost is retried with the same key when the connection is back, and after the screen was left", async () => {
    ways = [lost, answered];
    const { unmount } = stand();
    press();
    await screen.findByText(/^No answer yet/);
    act(() => bus.emit("connection", { up: true }));
    await turned();
    expect(keys).toEqual([keys[0], keys[0]]);
    unmount();
    stand();
    await screen.findByText("This is the spin you had already begun.");
    await turned();
    expect(new Set(keys).size).toBe(1);
  });

  it("that is older than the server's memory of keys is not retried", () => {
    const at = Date.now() - 24 * 3_600_000;
    sessionStorage.setItem("spin", JSON.stringify({ mark: "", what: { key: "old", at } }));
    stand();
    expect([isLocked(), keys]).toEqual([false, []]);
  });

  it("that is refused says why by the button and stays refused until the screen is left", async () => {
    ways = [say(422, "Your limit is reached", { reason: "limit.reached" })];
    const { unmount } = stand();
    press();
    expect((await screen.findByRole("alert")).textContent).toBe("Your limit is reached");
    const why = document.querySelector(`#${go().getAttribute("aria-describedby")}`)!.textContent;
    expect(why).toBe("Your limit is reachedLeave this screen to try again.");
    press();
    await pass(60_000);
    expect([isLocked(), keys.length]).toEqual([true, 1]);
    unmount();
    stand();
    expect(isLocked()).toBe(false);
  });

  it("that is refused for its old price says so, and goes on at the new one", async () => {
    ways = [say(422, "The price has changed", { reason: "spins.price" }), answered];
    const { change } = stand({ left: 0, price: "5.00" });
    press();
    expect((await screen.findByRole("alert")).textContent).toBe("The price has changed");
    change({ left: 0, price: "6.00" });
    expect([go().textContent, isLocked(), screen.queryByText(/^Leave this screen/)]).toEqual(["GO6", false, null]);
    press();
    await turned();
    expect([keys.length, screen.queryByRole("alert")]).toEqual([2, null]);
  });

  it("that finds no spin left says so, and goes on once there is another", async () => {
    ways = [say(422, "No spins left", { reason: "spins.none" }), answered];
    const { change } = stand();
    press();
    expect((await screen.findByRole("alert")).textContent).toBe("No spins left");
    change({ left: 0 });
    expect([isLocked(), screen.queryByText(/^Leave this screen/)]).toEqual([true, null]);
    change({ left: 1 });
    press();
    await turned();
    expect(keys).toHaveLength(2);
  });
});

describe("the winners", () => {
  it("lead to the wheel while there are none", () => {
    stand();
    act(() => screen.getByRole("button", { name: "To the wheel" }).click());
    expect(document.activeElement).toBe(go());
  });

  it("lead home where no wheel is shown either", () => {
    const winners = { data: [] as unknown[] } as ReturnType<typeof useWinners>;
    show(<Winners winners={winners} isHeld={false} toWheel={null} />);
    expect(screen.getByRole("link").getAttribute("href")).toBe("/Home");
  });
});

describe("a prize", () => {
  it.each([
    ["points for nothing", { left: 1 }, "points", "You won"],
    ["points that do not cover the price", { left: 0, price: "5.00" }, "points", "The wheel has stopped"],
    ["a day of membership", { left: 0, price: "5.00" }, "days", "You won"],
    ["thanks", { left: 1 }, "thanks", "The wheel has stopped"],
  ] as const)("is a gain where it is worth more than its spin: %s", async (_what, seen, kind, title) => {
    stand({ ...seen, prizes: PRIZES.map((prize) => ({ ...prize, kind })) });
    press();
    await turned();
    await pass(5_600);
    expect((await screen.findByRole("dialog")).textContent).toContain(title);
  });
});

describe("the pair of a spin", () => {
  const NONE: Pair = { number: null, commit: null, client_seed: null, words_by: null, table: null, nonce: 0 };
  const OTHER = [{ ...PRIZES[0]!, weight: 2 }, PRIZES[1]!];

  it("is the one in use, named by its commit alone", async () => {
    stand();
    press();
    await turned();
    expect(asked).toEqual(["0 undefined"]);
  });

  it("is begun by the first spin, with words made here, which are kept and sent again after a lost answer", async () => {
    ways = [lost, answered];
    stand({ pair: NONE });
    press();
    await screen.findByText(/^No answer yet/);
    act(() => bus.emit("connection", { up: true }));
    await turned();
    const [first, second] = asked;
    expect(first).toMatch(/^1 [a-z]+(-[a-z]+){4}$/);
    expect(second).toBe(first);
    const [kept] = readKept("mem_1");
    expect(kept).toMatchObject({ number: 1, commit: C1, isSent: true, table: TABLE.hash });
    expect(`1 ${kept!.words}`).toBe(first);
  });

  it("keeps its words after a refusal too: the next spin sends the same", async () => {
    ways = [say(422, "No spins left", { reason: "spins.none" }), answered];
    const { unmount } = stand({ pair: NONE });
    press();
    await screen.findByRole("alert");
    unmount();
    stand({ pair: NONE });
    press();
    await turned();
    expect(asked[1]).toBe(asked[0]);
  });

  it("is a new one with fresh words once the prizes have changed, and the screen says so", async () => {
    stand({ prizes: OTHER });
    screen.getByText(/^The prizes have changed/);
    press();
    await turned();
    expect(asked[0]).toMatch(/^1 [a-z]+(-[a-z]+){4}$/);
  });

  it("keeps what its spin was answered, also after a reload that came before the answer", async () => {
    const kept = () => readKept("mem_1")[0]!.answers;
    ways = [lost, say(200, "", { ...WON, commit: C1 })];
    const { unmount } = stand({ pair: NONE });
    press();
    await screen.findByText(/^No answer yet/);
    expect(kept()).toBeUndefined();
    unmount();
    stand({ pair: NONE });
    await turned();
    expect(kept()).toEqual([{ nonce: 0, id: "fifty", isOther: false }]);
  });

  it("that the server no longer knows is told, and the wheel can be spun again", async () => {
    ways = [say(409, "Load it again", { reason: "commit.stale" }), answered];
    stand();
    press();
    await screen.findByText("Load it again");
    expect(isLocked()).toBe(false);
    press();
    await turned();
    expect([asked.length, screen.queryByText("Load it again")]).toEqual([2, null]);
  });

  it("ends without a spin where the prizes changed after its words were sent: they are for the prizes that were shown", async () => {
    ways = [say(409, "Look again", { reason: "prizes.changed" }), say(200, "", null), answered];
    stand({ pair: NONE });
    press();
    await screen.findByText("Look again");
    await until(() => expect(asked).toHaveLength(2));
    expect(asked[1]).toBe(asked[0]);
    expect(where).toEqual(["/api/luckdraw these prizes", "/api/fair/wheel these prizes"]);
    expect(isLocked()).toBe(false);
  });

  it("whose words are the house's proves nothing, and the screen says so", () => {
    stand({ pair: { ...PAIR, words_by: "house" } });
    expect(screen.queryByText(/So this secret proves nothing/)).not.toBe(null);
  });
});

describe("before a spin", () => {
  it("the button shows its price, once none is free", () => {
    const { change } = stand({ price: "5.00" });
    expect(go().textContent).toBe("GO");
    change({ left: 0, price: "5.00" });
    expect([go().textContent, isLocked()]).toEqual(["GO5", false]);
    screen.getByText("Another spin costs 5 points.");
  });

  it("the screen says when free ones come again, but not where none do", () => {
    serverTime.update(Date.UTC(2026, 2, 2, 12));
    const { change } = stand({ left: 0 });
    screen.getByText(/^Free spins come again at/);
    change({ left: 0, daily: 0 });
    expect(screen.queryByText(/^Free spins/)).toBe(null);
  });

  it("nothing is spun where none is left and none is for sale", () => {
    stand({ left: 0 });
    press();
    expect([isLocked(), keys]).toEqual([true, []]);
  });

  it("nothing is spun while the house plays for money without a licence", () => {
    stand({}, { unit: "USD", licence: "" });
    press();
    expect([isLocked(), go().getAttribute("aria-busy")]).toEqual([true, null]);
  });

  it("a wheel without prizes says so", () => {
    stand({ prizes: [] });
    screen.getByText("There are no prizes yet");
    expect(screen.queryByRole("button", { name: /GO/ })).toBe(null);
  });
});
