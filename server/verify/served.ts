import { createHash } from "node:crypto";
import type { Leaf } from "#shared/log/leaf.ts";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { OFFLINE_PAGE, parseServed, servedHash, startPageLanguage, type ServedFile } from "#shared/log/served-files.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { bodyOf } from "./log-files.ts";

const LONGEST_LIST = 1_048_576;
const LONGEST_FILE = 67_108_864;
const TIMEOUT_MS = 20_000;
const AT_ONCE = 8;
const AS_A_BROWSER = { accept: "text/html,*/*" };

/** Whether a site shows a start page. */
async function hasStartPage(site: string): Promise<boolean> {
  const response = await fetch(`${site}/`, { headers: AS_A_BROWSER, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  return response.ok;
}

/**
 * Compares what a site serves as its app with the newest leaf that names it; null where the log has none. Returns what
 * differs. A server states its app as it starts: only one without a built app, which shows no page, has nothing to state.
 */
export async function servedFaults(site: string, files: LogFiles, leaf: Leaf<"app"> | null): Promise<string[]> {
  if (!leaf) return (await hasStartPage(site)) ? ["An app is served, and the log names none."] : [];
  const list = parseUtf8((await files.read("app", LONGEST_LIST)) ?? new Uint8Array()) ?? "";
  const served = parseServed(list);
  if (!served || servedHash(list) !== leaf.files)
    return ["The list of what is served does not have the hash of the log."];
  const page = served.find(({ path }) => path === OFFLINE_PAGE);
  const faults = page?.hash === leaf.page ? [] : [`${OFFLINE_PAGE} does not have the hash of the log.`];
  for (let from = 0; from < served.length; from += AT_ONCE) {
    const some = served.slice(from, from + AT_ONCE);
    const hashes = await Promise.all(some.map((file) => hashAt(site, file)));
    for (const [i, { path, hash }] of some.entries())
      if (hashes[i] !== hash) faults.push(`${path} is served otherwise than the log says.`);
  }
  return faults;
}

/** The start page is asked for as everybody opens it, in each language. */
async function hashAt(site: string, { path }: ServedFile): Promise<string | null> {
  const language = startPageLanguage(path);
  const response = await fetch(`${site}/${language === undefined ? path : ""}`, {
    headers: { ...AS_A_BROWSER, "accept-language": language ?? "en" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = response.ok ? await bodyOf(response, LONGEST_FILE) : null;
  return body && createHash("sha256").update(body).digest("hex");
}
