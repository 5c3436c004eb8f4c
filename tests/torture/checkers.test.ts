import { describe, expect, it } from "vitest";
import { placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import type { Books, WalletRow } from "../stories/crash-books.ts";
import { cycleFaults } from "./cycles.ts";
import { DiskImages, type Names } from "./disk-images.ts";
import { History, type Asked } from "./history.ts";
import { linearityFaults } from "./linear.ts";
import { SiteTime } from "./site-time.ts";
import { pushFaults, type Listener, type Pushed } from "./pushes.ts";

/** Three bets of ten units by member 0, in rounds 1, 1 and 2. */
const BETS = [1, 2, 3].map((id) => ({
  id,
  member: 0,
  round: id < 3 ? 1 : 2,
  total: 1_000,
  balance: 10_000 - id * 1_000,
  at: id,
}));
const CHANGES: WalletRow[] = BETS.map(({ id, balance }) => ({
  member: 0,
  cause: `bet_${id}`,
  version: id,
  delta: -1_000,
  balance,
}));

const asked = (path: string, key: string | null, fromMs: number, data: object): Asked => {
  const answer = { code: 200 as const, data };
  return { member: 0, path, key, input: { expect: "r1" }, fromMs, toMs: fromMs + 5, answer };
};
const bet = (id: number, fromMs: number) => asked(placeOrder.path, `key ${id}`, fromMs, { id: `bet_${id}` });
const look = (version: number, fromMs: number, money = String(100 - version * 10)) =>
  asked(getUserInfo.path, null, fromMs, { version, money: `${money}.00` });
const told = (...all: Asked[]) => Object.assign(new History(), { asked: all });

describe("linearizability of a wallet", () => {
  const good = [bet(1, 10), look(1, 20), bet(2, 30), bet(3, 40), look(3, 50)];

  it("holds for answers in the order of the ledger, and for those that overlap", () => {
    expect(linearityFaults(told(...good), CHANGES)).toEqual([]);
    expect(linearityFaults(told(bet(1, 10), bet(2, 13), look(1, 12)), CHANGES)).toEqual([]);
  });

  it.each([
    ["a bet that was answered and is not in the ledger", told(...good), CHANGES.slice(0, 2)],
    ["a look that is older than the answer before it", told(bet(1, 10), bet(2, 20), look(1, 30)), CHANGES],
    ["a look that goes back", told(look(2, 10), look(1, 20)), CHANGES],
    ["a balance that the ledger does not have at that version", told(look(1, 10, "95")), CHANGES],
    ["bets whose versions go against the times of their answers", told(bet(2, 10), bet(1, 20)), CHANGES],
    ["one key that was answered in two ways", told(bet(1, 10), { ...bet(2, 20), key: "key 1" }), CHANGES],
  ])("is broken by %s", (_what, history, changes) => {
    expect(linearityFaults(history, changes)).not.toEqual([]);
  });
});

describe("cycles between transactions", () => {
  const house = BETS.map(({ id }) => ({ kind: "bets" as const, amount: 1_000, from: id, to: id }));
  const books = (changes = CHANGES, entries = house) => ({ changes, house: entries, bets: BETS }) as unknown as Books;

  it("are none where one order explains all", () => {
    expect(cycleFaults(told(bet(1, 10), look(1, 20), bet(2, 30), bet(3, 40)), books())).toEqual([]);
  });

  const settled = (version: number) => [
    ...CHANGES.filter((row) => row.version < version),
    { member: 0, cause: "round_1", version, delta: 500, balance: 0 },
    ...CHANGES.filter((row) => row.version >= version).map((row) => ({ ...row, version: row.version + 1 })),
  ];
  it("are none where a round pays after its bets", () => {
    expect(cycleFaults(told(), books(settled(3)))).toEqual([]);
  });

  it.each([
    ["a look before a bet that began after it", told(bet(2, 10), look(1, 30)), books()],
    ["a round that paid before its last bet", told(), books(settled(2))],
    ["bets that were answered against their versions", told(bet(2, 10), bet(1, 20)), books()],
  ])("are found in %s", (_what, history, rows) => {
    expect(cycleFaults(history, rows)).not.toEqual([]);
  });
});

describe("a site's time", () => {
  it("tells which times a clock showed that was ahead", () => {
    let now = 1_000;
    const time = new SiteTime({ now: () => now }, 2);
    time.set(1, 500, () => {});
    now = 1_100;
    time.set(1, 0, () => {});
    now = 2_000;
    expect(time.wasAheadIn({ from: 1_400, to: 1_500 })).toBe(true);
    expect(time.wasAheadIn({ from: 1_600, to: 1_700 })).toBe(true);
    expect(time.wasAheadIn({ from: 1_200, to: 1_499 })).toBe(false);
    expect(time.wasAheadIn({ from: 1_601, to: 1_900 })).toBe(false);
  });
});

describe("the rules of pushes", () => {
  /** Rounds r1 to r9, each closed at 10 times its number, and a payout of each for member 0. */
  const rounds = new Map(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => [id, { name: `k3 r${id}`, game: 1, closedAt: id * 10 }]),
  );
  const time = new SiteTime({ now: () => 0 });
  const payouts: WalletRow[] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => {
    return { member: 0, cause: `round_${id}`, version: id, delta: 100, balance: id * 100 };
  });
  const said = (event: string, atMs: number, payload: unknown = null): Pushed => ({
    event,
    payload,
    atMs,
    siteMs: atMs,
  });
  const result = (id: number, atMs = id * 10 + 1, version = id, money = `${id}.00`) =>
    said("lottery:result", atMs, { key: "k3", expect: `r${id}`, mine: { version, money } });
  const device = (member: number, ...pushed: Pushed[]): Listener => ({
    member,
    connections: () => [[said("connect", 0), said("watching", 1), ...pushed]],
  });
  const all = [...rounds.keys()].map((id) => result(id));
  const faults = (history: History, ...devices: Listener[]) => pushFaults(devices, payouts, history, rounds, time);

  it("hold where each version came once and in order, or where the last ones are still to come", () => {
    expect(faults(told(), device(0, ...all))).toEqual([]);
    expect(faults(told(bet(1, 5)), device(0, ...all.slice(0, 4)))).toEqual([]);
  });

  it.each([
    ["a version that was left out", told(), device(0, ...all.filter((_, i) => i !== 4))],
    ["a version that came twice", told(), device(0, ...all.slice(0, 3), result(3))],
    ["versions that came in another order", told(), device(0, result(2, 21), result(1, 22), result(3))],
    ["a balance that the ledger does not have", told(), device(0, result(1, 11, 1, "9.00"))],
    ["a version that the ledger does not have", told(), device(0, result(1, 11, 99))],
    ["a result before its closing", told(), device(0, result(1, 9))],
    ["a bet that was taken after its result", told(bet(1, 50)), device(0, result(1))],
  ])("are broken by %s", (_what, history, listener) => {
    expect(faults(history, listener)).not.toEqual([]);
  });

  it("are broken by a device that hears nothing while others are told results", () => {
    const others = all.map(({ payload, ...one }) => ({ ...one, payload: { ...(payload as object), mine: undefined } }));
    const silent = device(0);
    expect(faults(told(), device(1, ...others), silent)).toEqual([
      "member 0: heard no result, while others were told 9",
    ]);
    expect(faults(told(), device(1, ...others), device(0, ...all))).toEqual([]);
    // One that had gone, or never watched, may be silent.
    expect(faults(told(), device(1, ...others), device(0, said("disconnect", 40)))).toEqual([]);
    // So may one whose connection ended when the database came back: all is asked anew then.
    const anew = [[said("connect", 0), said("watching", 1)], [said("server:back", 40)]];
    expect(faults(told(), device(1, ...others), { member: 0, connections: () => anew })).toEqual([]);
    const idle: Listener = { member: 0, connections: () => [[said("connect", 0)]] };
    expect(faults(told(), device(1, ...others), idle)).toEqual([]);
  });
});

describe("a disk after a power cut", () => {
  const bytes = Buffer.from("new");
  const old = Buffer.from("old");
  const write = { atMs: 0, does: "write" as const, path: "draft", at: 0, bytes };
  const sync = (path: string) =>
    [
      { atMs: 0, does: "sync", path, id: path },
      { atMs: 0, does: "synced", path, id: path },
    ] as const;
  const rename = { atMs: 0, does: "rename" as const, path: "draft", to: "file" };
  const create = { atMs: 0, does: "create" as const, path: "draft" };
  const image = (names: Names, ...events: Parameters<DiskImages["happen"]>[0][]) => {
    const disk = new DiskImages(new Map([["file", old]]));
    for (const event of events) disk.happen(event);
    const left = disk.image(names, () => "lost", Math.random);
    return Object.fromEntries(Array.from(left, ([path, held]) => [path, held.toString()]));
  };

  it("has what was synced, under the name whose folder was synced", () => {
    expect(image("posix", create, write, ...sync("draft"), rename, ...sync(""))).toEqual({ file: "new" });
  });

  it("has the old file where the rename was not synced, or only another file was", () => {
    expect(image("posix", create, write, ...sync("draft"), rename)).toEqual({ file: "old" });
    expect(image("posix", create, write, ...sync("draft"), rename, ...sync("file"))).toEqual({ file: "old" });
    expect(image("journal", create, write, ...sync("draft"), rename, ...sync("file"))).toEqual({ file: "new" });
  });

  it("has an empty file where the name was synced and its bytes were not", () => {
    expect(image("posix", create, write, rename, ...sync(""))).toEqual({ file: "" });
    expect(image("early", create, write, rename)).toEqual({ file: "" });
  });

  it("loses what was written after a sync had begun", () => {
    const [begun, done] = sync("draft");
    const later = { ...write, at: 3, bytes: Buffer.from("er") };
    expect(image("posix", create, write, begun, later, done, ...sync(""))).toEqual({ file: "old", draft: "new" });
  });
});
