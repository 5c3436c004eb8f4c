import { trustedScript } from "#client/app/trusted-scripts.ts";
import workerAddress from "./format-worker.ts?worker&url";

/**
 * Makes the first format of numbers in a thread beside the page's. With it Chromium loads its list of languages, once for
 * all threads: 30 to 60 ms, and more on a slow phone, in which the page could answer nobody.
 */
export const warmFormats = (tag: string): void =>
  void new Worker(trustedScript(workerAddress), { type: "module", name: tag });
