import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { metaOf, queryClient } from "#client/api/queries.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { MOST_CHARACTERS, startLastKnown } from "#client/app/last-known.ts";
import { readStored, removeStored, writeStored } from "#client/storage/local-storage.ts";
import { cityList } from "#shared/contract/listing.ts";
import { lotteryList } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { noticeList, systemBase } from "#shared/contract/site.ts";
import { moneyLog, personalReport, reportSeries } from "#shared/contract/wallet.ts";
import { withdrawList } from "#shared/contract/withdrawals.ts";

const page = { document: new EventTarget(), window: new EventTarget() };
const stored = new Map<string, string>();
const leave = () => page.window.dispatchEvent(new Event("pagehide"));
/** The paths of what is kept. */
const keptPaths = (): string[] => {
  const { known } = JSON.parse(readStored("lastKnown")!) as { known: { key: [path: string] }[] };
  return known.map(({ key: [path] }) => path);
};
/** A screen hears an answer. */
const hear = (endpoint: AnyEndpoint, data: unknown, input: object = {}) =>
  queryClient.fetchQuery({ queryKey: keyOf(endpoint, input), queryFn: () => data, meta: metaOf(endpoint) });
const keyOf = ({ path }: AnyEndpoint, input: object = {}) => [path, input, "en_us"];
const pagesOf = (rows: string[]) => ({
  pages: rows.map((row) => ({ rows: [row] })),
  pageParams: rows.map((_, i) => i),
});

beforeAll(() => {
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("window", page.window);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  writeStored("token", "a token of the first");
  startLastKnown();
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  queryClient.clear();
  stored.clear();
  writeStored("token", "a token of the first");
  return hear(getUserInfo, { id: "mem_1", username: "first" });
});

describe("what was last known", () => {
  it("is kept when the page is left, for the same session", () => {
    leave();
    expect(readStored("lastKnown")).toContain("first");
  });

  it("goes with the session, though another tab began the next one before this app had started", () => {
    leave();
    writeStored("token", "the second's token");
    expect([queryClient.getQueryData(keyOf(getUserInfo)), readStored("lastKnown")]).toEqual([undefined, null]);
    leave();
    expect(readStored("lastKnown")).not.toContain("first");
  });

  it("is not kept under a session that has changed since the page heard of it", () => {
    removeStored("lastKnown");
    // As another tab's change arrives: stored already, and not yet announced here.
    stored.set("token", "the second's token");
    leave();
    expect(readStored("lastKnown")).toBeNull();
  });

  it("has the member's records, the notices and the cities, and no game: its round goes on", async () => {
    const records = [moneyLog, rechargeList, withdrawList, personalReport, reportSeries, noticeList, cityList];
    for (const one of [...records, lotteryList]) await hear(one, []);
    leave();
    expect(keptPaths().toSorted()).toEqual([getUserInfo, ...records].map(({ path }): string => path).toSorted());
  });

  it("has what every screen needs, however much was heard since", async () => {
    await hear(systemBase, {});
    queryClient.setQueryData(keyOf(systemBase), {}, { updatedAt: 1 });
    for (let id = 0; id < 100; id++) await hear(rechargeList, [], { id });
    leave();
    expect(keptPaths()).toEqual(expect.arrayContaining([systemBase.path, getUserInfo.path]));
    expect(keptPaths()).toHaveLength(40);
  });

  it("has the beginning of a long list, and does without what is too large for a device", async () => {
    await hear(moneyLog, pagesOf(["p1", "p2", "p3", "p4", "p5", "p6"]));
    await hear(noticeList, "n".repeat(MOST_CHARACTERS));
    leave();
    expect(readStored("lastKnown")!.match(/p\d/g)).toEqual(["p1", "p2", "p3", "p4", "p5"]);
    expect(keptPaths().toSorted()).toEqual([getUserInfo.path, moneyLog.path].toSorted());
  });
});
