import { writeDurably } from "#db/durable.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { readEntries, type LogFiles } from "#shared/log/read-tiles.ts";
import { isSame, parseUtf8 } from "#shared/log/strict.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { inclusionOf, isIncluded, proofOf, type Head } from "#shared/log/tree.ts";
import { leafHash } from "#shared/merkle.ts";
import { toIso, type Clock } from "#shared/time.ts";
import { servedFaults } from "#server/verify/served.ts";
import { readSubtrees, serverHash } from "#server/verify/read-subtrees.ts";
import type { KnownApp, WitnessState } from "./state.ts";

export interface AppWatching {
  site: string;
  files: LogFiles;
  state: WitnessState;
  clock: Clock;
  say: (text: string) => void;
  /** Where it is written down that something else is served. */
  evidence: string;
}

/** The whole app is fetched at each look that compares it; soon again where something differed. */
const LOOKS_BETWEEN = 10;

/**
 * Compares what a site serves as its app with the newest `app` leaf under the head that the witness signed last; where
 * there is none, no app may be served. A house may just replace its app, so only what differs twice in a row is written down.
 */
export class AppWatch {
  readonly #watching: AppWatching;
  #looks = 0;
  #suspected = "";
  #told = "";

  constructor(watching: AppWatching) {
    this.#watching = watching;
  }

  async look(): Promise<void> {
    const { site, files, state } = this.#watching;
    const isTurn = this.#looks++ % LOOKS_BETWEEN === 0 || this.#suspected !== "";
    const origin = state.origins.at(-1);
    const head = origin === undefined ? null : state.head(origin);
    if (!isTurn || origin === undefined || !head) return;
    const app = await this.#newest(origin, head);
    const leaf = app.leaf === null ? null : (parseLeaf(app.leaf) as Leaf<"app">);
    const faults = await servedFaults(site, files, leaf);
    const found = faults.length > 0 ? [app.leaf, ...faults].join("\n") : "";
    const isAgain = found !== "" && found === this.#suspected;
    this.#suspected = found;
    if (isAgain && found !== this.#told) await this.#tell(origin, app, faults);
    if (isAgain) this.#told = found;
  }

  async #tell(origin: string, { leaf, place }: KnownApp, faults: readonly string[]): Promise<void> {
    const { site, state, clock, say, evidence } = this.#watching;
    const { note } = state.log(origin)!;
    const found = { origin, site, at: toIso(clock.now()), head: note, place, leaf, faults };
    await writeDurably(evidence, `${JSON.stringify(found, null, 2)}\n`);
    for (const fault of faults) say(`APP: ${fault}`);
    say(`What ${site} serves is not the app that its log names. ${evidence} tells what differs.`);
  }

  /** Reads on from where it was read before. Throws where the entries are not those of the signed head. */
  async #newest(origin: string, head: Head): Promise<KnownApp> {
    const { files, state } = this.#watching;
    const known = state.log(origin)!.app ?? { size: 0, leaf: null, place: 0 };
    const app = { ...known, size: Math.max(known.size, head.size) };
    for (let at = known.size; at < head.size;) {
      const index = Math.floor(at / WIDTH);
      const width = Math.min(WIDTH, head.size - index * WIDTH);
      for (const [i, entry] of (await provenEntries(files, { index, width }, head)).entries()) {
        const text = parseUtf8(entry) ?? "";
        if (parseLeaf(text)?.kind === "app") Object.assign(app, { leaf: text, place: index * WIDTH + i });
      }
      at = index * WIDTH + width;
    }
    if (known.size < app.size) await state.keepApp(origin, app);
    return app;
  }
}

/** The entries of a bundle. The path of one proves the hashes of all: they stand in its tile. */
async function provenEntries(
  files: LogFiles,
  { index, width }: { index: number; width: number },
  head: Head,
): Promise<Uint8Array[]> {
  const entries = await readEntries(files, { index, width });
  if (!entries) throw new Error(`the entries from ${index * WIDTH} on are missing`);
  const first = index * WIDTH;
  const parts = inclusionOf(first, head.size);
  const read = await readSubtrees(files, [[first, first + 1], ...parts], head.size);
  const hashes = entries.map((entry) => leafHash(entry, serverHash));
  const isProven =
    isIncluded(hashes[0]!, first, head, proofOf(parts, read, serverHash), serverHash) &&
    hashes.every((one, i) => isSame(one, read({ level: 0, index: first + i })));
  if (!isProven) throw new Error(`the entries from ${first} on do not have the root of the signed head`);
  return entries;
}
