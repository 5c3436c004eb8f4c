import {
  hashKey,
  notifyManager,
  useQueryClient,
  type Query,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { bus } from "#client/api/bus.ts";
import { queryClient } from "#client/api/queries.ts";
import { onStored, readStored, removeStored, writeStored } from "#client/storage/local-storage.ts";
import { sessionMark } from "#client/storage/tab-storage.ts";
import { listingList, ownListings, savedListingIds } from "#shared/contract/listing.ts";
import { gameList } from "#shared/contract/lottery.ts";
import { messageList } from "#shared/contract/member.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { systemBase, systemConfig } from "#shared/contract/site.ts";
import { ownVideos, savedVideoIds, watching } from "#shared/contract/video.ts";

/** Records that stay true. A round is none: it goes on while nobody hears of it. */
const RECORDS = [
  getUserInfo,
  gameList,
  messageList,
  ownVideos,
  savedVideoIds,
  ownListings,
  savedListingIds,
  listingList,
  watching,
  systemConfig,
];
const KEPT = new Set<unknown>([...RECORDS, systemBase].map(({ path }) => path));
const MOST = 40;

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

/** Without what only a live answer may say: an older wallet version, notes to check, the address. */
const withoutLive = (user: UserInfo): UserInfo => ({ ...user, version: 0, chain: "", balance_note: "", ip: "" });

const isUser = ([path]: QueryKey) => path === getUserInfo.path;

/** The session whose answers the cache holds. */
let token: string | null = null;

/** Keeps the newest answers of this session on the device. */
function keep(client: QueryClient): void {
  // Another tab may have changed the session a moment ago.
  if (token !== readStored("token")) return;
  const isKept = ({ queryKey: [path], state }: Query) => KEPT.has(path) && state.data !== undefined;
  const now = client.getQueryCache().findAll({ predicate: isKept });
  const before = read().filter(({ key }) => client.getQueryData(key) === undefined);
  const known = now.map(({ queryKey: key, state: { data, dataUpdatedAt: at } }): Known => {
    return { key, data: isUser(key) ? withoutLive(data as UserInfo) : data, at };
  });
  const newest = [...known, ...before].sort((one, other) => other.at - one.at).slice(0, MOST);
  writeStored("lastKnown", JSON.stringify({ mark: sessionMark(), known: newest }));
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
  window.addEventListener("pagehide", () => keep(queryClient));
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep(queryClient));
  if (!navigator.onLine) show(queryClient);
}
