import { queryClient } from "#client/api/queries.ts";
import { call } from "#client/api/call.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { ROWS } from "#client/routes.tsx";
import { firstCalls, type FirstCall } from "./first-calls.ts";
import { idle } from "./idle.ts";
import { readStored } from "#client/storage/local-storage.ts";

/** Asks for what the first screen shows, while its texts are still on their way. Most of it has begun already. */
export function askAhead(address: Pick<Location, "pathname" | "search">, language: LocaleCode): void {
  for (const one of firstCalls(address)) if (!one.isPassing) ask(one, language);
}

function ask({ endpoint, input }: FirstCall, language: LocaleCode): void {
  const queryKey = [endpoint.path, input, language];
  void queryClient.prefetchQuery({ queryKey, queryFn: ({ signal }) => call(endpoint, input, { signal }) });
}

/** The screens that open without a connection too, with what was last known, and the worker's cache for their files. */
const KEPT = new Set<string>(["/Home", "/Mine", "/GameRecord", "/Messages", "/Saved"]);
const SHELL = "trio-shell-1";
const FILES = /^\/(assets|icons)\//;

/** The longest wait for the page to have nothing to do before each of them, in ms. */
const IDLE_MS = 500;

/** Lets the worker have a member's files of those screens: what was loaded before it stood has passed it by. */
export async function keepScreens(): Promise<void> {
  if (readStored("token") === null) return;
  await navigator.serviceWorker.ready;
  // The screen that is open first: nobody knows how long it stays open.
  await keepLoaded();
  for (const { load } of ROWS.filter(({ path }) => KEPT.has(path))) {
    await idle(IDLE_MS);
    await load().catch(() => undefined);
  }
  await keepLoaded();
}

async function keepLoaded(): Promise<void> {
  const cache = await caches.open(SHELL);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const own = loaded.filter(({ origin, pathname }) => origin === window.location.origin && FILES.test(pathname));
  for (const file of new Set(own.map(({ href }) => href))) if (!(await cache.match(file))) await cache.add(file);
}
