import { jitter } from "#client/api/jitter.ts";
import { readTab, writeTab } from "#client/storage/tab-storage.ts";

/** A piece of the app that did not come. Browsers remember that it did not, so that only a new page can fetch it. */
export class MissingChunk extends Error {
  override name = "MissingPiece";
}

/** Fetches a piece of the app, and says so when it is the piece that is missing. */
export const fetchChunk = <Piece>(load: () => Promise<Piece>): Promise<Piece> =>
  load().catch((cause: unknown) => {
    throw new MissingChunk("a piece of the app did not come", { cause });
  });

const LOOK_EVERY_MS = 600;
const SPREAD_MS = 300;
/** A page that misses something again is not loaded again at once. */
const REST_MS = 10_000;
const LOADED_AT = "loaded anew";

/** Loads the page anew as soon as the server answers; what this tab keeps is still there then. Returns how to stop. */
export function reloadWhenBack(reload: () => void = () => window.location.reload()): () => void {
  const rest = Number(readTab(LOADED_AT)) + REST_MS - Date.now();
  let timer = setTimeout(look, Math.min(REST_MS, Math.max(0, rest)));
  let isStopped = false;

  async function look(): Promise<void> {
    const isBack = await queryClient();
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

const queryClient = (): Promise<boolean> =>
  fetch("/healthz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
