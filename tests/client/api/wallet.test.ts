import { QueryClient, QueryObserver } from "@tanstack/react-query";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { newerWallet, showWallet } from "#client/api/wallet.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";

const userAt = (version: number, more: Partial<UserInfo> = {}): UserInfo => ({
  id: "1",
  username: "mia_1",
  header_img: "avatar/1",
  name: "",
  sex: "0",
  point: version,
  paypassword: 0,
  status: 1,
  is_see: 0,
  free_see_time: 15,
  member_until: 0,
  ip: "127.0.0.1",
  balance_note: "",
  is_bank: 0,
  has_password: 1,
  keeps_history: 1,
  chain: "",
  ...walletAt(version),
  ...more,
});
/** The amounts of a version, so that they can be told apart. */
const walletAt = (version: number) => ({ money: `${version}.00`, money_value: `¥${version}`, version });
const KEY = (lang = "en_us") => [getUserInfo.path, {}, lang];

let answers: QueryClient;
beforeEach(() => {
  answers = new QueryClient({
    defaultOptions: { queries: { structuralSharing: newerWallet, staleTime: Infinity, retry: false } },
  });
});
const shown = (lang?: string) => answers.getQueryData<UserInfo>(KEY(lang));
const answered = (user: UserInfo) =>
  answers.fetchQuery({ queryKey: KEY(), queryFn: () => Promise.resolve(user), staleTime: 0 });

describe("a pushed balance", () => {
  it("is shown in every cached language, and nothing else changes", async () => {
    await answered(userAt(3));
    answers.setQueryData(KEY("ko_kr"), userAt(3));
    showWallet(answers, walletAt(4));
    for (const lang of ["en_us", "ko_kr"]) expect(shown(lang)).toEqual({ ...userAt(3), ...walletAt(4) });
  });

  it("is not shown when it is older than the shown one", async () => {
    for (const stored of [answers, new QueryClient()]) {
      stored.setQueryData(KEY(), userAt(3));
      showWallet(stored, walletAt(2));
      expect(stored.getQueryData(KEY())).toEqual(userAt(3));
    }
  });

  it("is not shown to a guest", () => {
    showWallet(answers, walletAt(2));
    expect(shown()).toBeUndefined();
  });

  it("that overtakes an answer stays, and the rest of the answer counts", async () => {
    await answered(userAt(3));
    showWallet(answers, walletAt(5));
    await answered(userAt(4, { name: "Mia" }));
    expect(shown()).toEqual({ ...userAt(4, { name: "Mia" }), ...walletAt(5) });
    await answered(userAt(6));
    expect(shown()).toEqual(userAt(6));
  });

  it("that overtakes the very first answer causes another request", async () => {
    const late = Promise.withResolvers<UserInfo>();
    const asked = [late.promise, Promise.resolve(userAt(5))];
    const observer = new QueryObserver<UserInfo>(answers, { queryKey: KEY(), queryFn: () => asked.shift()! });
    const stop = observer.subscribe(() => {});
    showWallet(answers, walletAt(5));
    late.resolve(userAt(4));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([shown()?.version, asked.length]).toEqual([5, 0]);
    stop();
  });
});

describe("pushes and answers in any order", () => {
  it("end with the newest version, and never show an older one on the way", () => {
    const steps = fc.array(fc.record({ version: fc.nat(9), isPush: fc.boolean() }), { minLength: 1 });
    fc.assert(
      fc.property(steps, (all) => {
        answers.clear();
        let newest = 0;
        for (const { version, isPush } of [{ version: 0, isPush: false }, ...all]) {
          if (isPush) showWallet(answers, walletAt(version));
          else answers.setQueryData(KEY(), newerWallet(shown(), userAt(version)));
          newest = Math.max(newest, version);
          expect(shown()).toMatchObject(walletAt(newest));
        }
      }),
    );
  });
});

describe("an answer about another member", () => {
  it("counts as it is, though its wallet version is lower", () => {
    const other = userAt(1, { id: "2", username: "ben_1" });
    expect(newerWallet(userAt(9), other)).toEqual(other);
  });
});

describe("any other answer", () => {
  it("counts as it is, and unchanged data stays the same object", () => {
    const known = { list: [{ id: 1, version: 9 }], count: 1 };
    const received = { list: [{ id: 1, version: 9 }], count: 2 };
    const stored = newerWallet(known, received) as typeof known;
    expect(stored).toEqual(received);
    expect(stored.list).toBe(known.list);
    expect(newerWallet(undefined, received)).toBe(received);
    expect(newerWallet(userAt(9), null)).toBeNull();
  });

  it("of a member too: unchanged data stays the same object", () => {
    const known = userAt(5);
    expect(newerWallet(known, userAt(5))).toBe(known);
    expect(newerWallet(known, { ...userAt(4), point: 5 })).toBe(known);
  });
});
