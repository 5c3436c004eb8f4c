import {
  hashKey,
  notifyManager,
  useQueryClient,
  type InfiniteData,
  type Query,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { bus } from "#client/api/bus.ts";
import { queryClient } from "#client/api/queries.ts";
import { onStored, readStored, removeStored, writeStored } from "#client/storage/local-storage.ts";
import { sessionMark } from "#client/storage/tab-storage.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";

interface Known {
  key: QueryKey;
  data: unknown;
  /** When it was heard, by this device's clock, in ms since the epoch. */
  at: number;
}

/** What is on the screen from before, by query, and when it was heard. */
const shown = new Map<string, number>();

/** Empty if it belongs to another session. */
function read(): Known[] {
  try {
    // Only this app writes here.
    const { mark, known } = JSON.parse(readStored("lastKnown") ?? "{}") as { mark?: string; known: Known[] };
    return mark === sessionMark() ? known : [];
  } catch {
    return [];
  }
}

/** The session whose answers the cache holds. */
let token: string | null = null;

/** What every screen needs. */
const NEEDED = new Set<unknown>([systemBase, getUserInfo].map(({ path }) => path));

/**
 * So many answers are kept: what every screen needs, then the newest. Of a list, so many pages; and no more characters
 * in all: a device has room for some five million.
 */
const MOST = 40;
const MOST_PAGES = 5;
export const MOST_CHARACTERS = 1_000_000;

/** Without what only a live answer may say: an older wallet version, notes to check, the address. */
const withoutLive = (user: UserInfo): UserInfo => ({ ...user, version: 0, chain: "", balance_note: "", ip: "" });

const isList = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === "object" && data !== null && "pageParams" in data;

/** What is kept of an answer. */
function keptOf([path]: QueryKey, data: unknown): unknown {
  if (path === getUserInfo.path) return withoutLive(data as UserInfo);
  if (!isList(data)) return data;
  return { pages: data.pages.slice(0, MOST_PAGES), pageParams: data.pageParams.slice(0, MOST_PAGES) };
}

/** The first that fit. One that is too large by itself takes no other's place. */
function fitting(sorted: readonly Known[]): Known[] {
  let left = MOST_CHARACTERS;
  return sorted.slice(0, MOST).filter((one) => {
    const size = JSON.stringify(one).length;
    const fits = size <= left;
    if (fits) left -= size;
    return fits;
  });
}

/** Keeps the newest answers of this session on the device. */
function keep(): void {
  // Another tab may have changed the session a moment ago.
  if (token !== readStored("token")) return;
  const isKept = ({ meta, state }: Query) => meta?.isRecord === true && state.data !== undefined;
  const now = queryClient.getQueryCache().findAll({ predicate: isKept });
  const known = now.map(({ queryKey: key, state: { data, dataUpdatedAt: at } }): Known => {
    return { key, data: keptOf(key, data), at };
  });
  const heard = new Set(now.map(({ queryHash }) => queryHash));
  const before = read().filter(({ key }) => !heard.has(hashKey(key)));
  const isNeeded = ({ key: [path] }: Known) => Number(NEEDED.has(path));
  const sorted = [...known, ...before].sort((one, other) => isNeeded(other) - isNeeded(one) || other.at - one.at);
  writeStored("lastKnown", JSON.stringify({ mark: sessionMark(), known: fitting(sorted) }));
}

/** Shows what was known, where nothing is known by now. */
function show(client: QueryClient): void {
  for (const { key, data, at } of read()) {
    if (client.getQueryData(key) !== undefined) continue;
    client.setQueryData(key, data, { updatedAt: at });
    shown.set(hashKey(key), at);
  }
}

/** Whether what a query has was known before, and is no answer of now. */
export const isOld = ({ queryHash, state }: Query): boolean => shown.get(queryHash) === state.dataUpdatedAt;

/** The moment from which on the records on this screen may have changed, in ms since the epoch; null while they are current. */
export function useKnownAt(): number | null {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const isRecord = ({ queryKey: [path] }: Query) => path !== systemBase.path;
  return useSyncExternalStore(
    (listen) => cache.subscribe(notifyManager.batchCalls(listen)),
    () => {
      const old = cache.findAll({ type: "active", predicate: (query) => isOld(query) && isRecord(query) });
      return old.length === 0 ? null : Math.min(...old.map(({ state }) => state.dataUpdatedAt));
    },
  );
}

/**
 * Keeps what was last known for as long as the session runs, and shows it while there is no connection. Whoever logs
 * in next finds nothing, on this device or on the screen. It begins before the first call.
 */
export function startLastKnown(): void {
  token = readStored("token");
  const forgetOthers = () => {
    if (read().length === 0 && readStored("lastKnown") !== null) removeStored("lastKnown");
  };
  forgetOthers();
  onStored(() => {
    const before = token;
    token = readStored("token");
    if (token === before) return;
    // Another tab may switch members; nothing of the first may stay on screen.
    if (before && token) void queryClient.resetQueries();
    shown.clear();
    forgetOthers();
  });
  bus.on("connection", ({ up }) => {
    if (up) void queryClient.invalidateQueries({ predicate: isOld });
    else show(queryClient);
  });
  // A page that is hidden may never run again.
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
  if (!navigator.onLine) show(queryClient);
}
