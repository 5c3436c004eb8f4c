import { jitter } from "#client/api/jitter.ts";
import { readTab, writeTab } from "#client/storage/tab-storage.ts";

/** A chunk that failed to load. Browsers cache the failure, so only a page reload can fetch it. */
export class MissingChunk extends Error {
  override name = "MissingChunk";
}

/** Loads a chunk; a failure becomes MissingChunk. */
export const fetchChunk = <Piece>(load: () => Promise<Piece>): Promise<Piece> =>
  load().catch((cause: unknown) => {
    throw new MissingChunk("a chunk of the app could not be loaded", { cause });
  });

const LOOK_EVERY_MS = 600;
const SPREAD_MS = 300;
/** The least time between two reloads. */
const REST_MS = 10_000;
const LOADED_AT = "loaded anew";

/** Reloads the page once the server answers; tab storage survives. Returns the stop function. */
export function reloadWhenBack(reload: () => void = () => window.location.reload()): () => void {
  const rest = Number(readTab(LOADED_AT)) + REST_MS - Date.now();
  let timer = setTimeout(look, Math.min(REST_MS, Math.max(0, rest)));
  let isStopped = false;

  async function look(): Promise<void> {
    const isBack = await isServerBack();
    if (isStopped) return;
    if (!isBack) timer = setTimeout(look, LOOK_EVERY_MS + jitter(SPREAD_MS));
    else {
      writeTab(LOADED_AT, String(Date.now()));
      reload();
    }
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const isServerBack = (): Promise<boolean> =>
  fetch("/healthz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
