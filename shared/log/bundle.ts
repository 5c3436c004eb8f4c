import { utf8ToBytes } from "@noble/hashes/utils.js";
import { HeadReading, type LogVerdict, type Reading } from "./read-head.ts";

/**
 * A copy of a log as one file: JSON of the head, the key and the leaves, as texts. It is written with one leaf to a line,
 * so that it can be read line by line, however long it is.
 */
export const bundleHead = (checkpoint: string, key: string): string =>
  `{"checkpoint":${JSON.stringify(checkpoint)},"key":${JSON.stringify(key)},"leaves":[\n`;
export const bundleLeaf = (leaf: string, isLast: boolean): string => `${JSON.stringify(leaf)}${isLast ? "" : ","}\n`;
export const BUNDLE_END = "]}\n";

const HEAD = /^\{"checkpoint":("(?:[^"\\]|\\.)*"),"key":("(?:[^"\\]|\\.)*"),"leaves":\[$/;

/** Reads a bundle from its lines. */
export async function readBundle(lines: AsyncIterable<string>, reading: Reading = {}): Promise<LogVerdict> {
  let log: HeadReading | null = null;
  let isWhole = false;
  for await (const line of lines) {
    if (!log) {
      const [, checkpoint = '""', key = '""'] = HEAD.exec(line) ?? [];
      log = new HeadReading(JSON.parse(checkpoint) as string, JSON.parse(key) as string, reading);
      if (!log.isSigned) break;
      continue;
    }
    if (line === "]}") {
      isWhole = log.size === log.head!.size;
      break;
    }
    const leaf = leafIn(line);
    if (leaf === null || log.size === log.head!.size) break;
    log.add(utf8ToBytes(leaf));
  }
  log ??= new HeadReading("", "", reading);
  if (log.isSigned && !isWhole) log.problem("missing", { path: `leaf ${log.size}` });
  return log.end();
}

function leafIn(line: string): string | null {
  try {
    const leaf: unknown = JSON.parse(line.replace(/,$/, ""));
    return typeof leaf === "string" && leaf.isWellFormed() ? leaf : null;
  } catch {
    return null;
  }
}
