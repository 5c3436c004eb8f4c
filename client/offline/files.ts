import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { LONGEST_LAST_LINE, signatureAt, type ExportVerdict } from "#shared/export-signature.ts";
import { checkExport as checkBets, type ExportLog } from "#shared/log/check-export.ts";
import { readBundle } from "#shared/log/bundle.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { checkEvidence, LONGEST_EVIDENCE, TOO_LONG, type CheckedEvidence } from "#shared/log/evidence/check.ts";
import { isSigned } from "#shared/log/ed25519.ts";
import type { NoteKey } from "#shared/log/note.ts";
import type { LogVerdict } from "#shared/log/read-head.ts";
import { readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { parseTilePath } from "#shared/log/tiles.ts";
import { QUICKNET } from "#shared/lottery/beacon.ts";

/** After so many entries the page is drawn again. */
const PIECE = 2_000;

const beacons = drandCheck([QUICKNET]);

type Progress = (entries: number) => void;

const painted = () => new Promise((resolve) => setTimeout(resolve));

/** A copy of a log in one file. */
export async function checkFile(file: File, witnesses: readonly NoteKey[], onProgress: Progress): Promise<LogVerdict> {
  return readBundle(counted(linesOf(file), onProgress), { beacons, witnesses });
}

/** A copy of a log in a folder; its files may lie in a folder `log`. */
export async function checkFolder(
  chosen: readonly File[],
  witnesses: readonly NoteKey[],
  onProgress: Progress,
): Promise<LogVerdict> {
  const byPath = new Map(chosen.map((file) => [file.webkitRelativePath.replace(/^[^/]+\/(?:log\/)?/, ""), file]));
  let entries = 0;
  const files: LogFiles = {
    async read(path, most) {
      const file = byPath.get(path);
      const tile = parseTilePath(path);
      if (tile?.level === "entries") {
        onProgress((entries += tile.width));
        await painted();
      }
      return file && file.size <= most ? new Uint8Array(await file.arrayBuffer()) : null;
    },
  };
  return readLog(files, { beacons, witnesses });
}

/** The lines of a text file, however long it is. A last one without its newline counts, too. */
async function* linesOf(file: File): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.stream().getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop()!;
    yield* lines;
    if (done) break;
  }
  if (rest !== "") yield rest;
}

async function* counted(lines: AsyncGenerator<string>, onProgress: Progress): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    if (++count % PIECE === 0) {
      onProgress(count);
      await painted();
    }
    yield line;
  }
}

/** What an export is, and the key that it names. With a key given, only that one counts. */
export type CheckedExport =
  | { verdict: "unsigned" }
  | {
      verdict: Exclude<ExportVerdict, "unsigned">;
      key: string;
      /** What its bets come to in the public log. Null for a file without a head. */
      log: ExportLog | null;
    };

/** A longer file is checked byte by byte alone. */
const LONGEST_EXPORT = 100_000_000;

export async function checkExport(file: File, given: string, witnesses: readonly NoteKey[]): Promise<CheckedExport> {
  const end = file.slice(Math.max(0, file.size - LONGEST_LAST_LINE));
  const signature = signatureAt(new Uint8Array(await end.arrayBuffer()), file.size);
  if (!signature) return { verdict: "unsigned" };
  const hash = sha256.create();
  const reader = file.slice(0, signature.length).stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    hash.update(value);
  }
  const key = given === "" ? signature.key : given;
  const isGenuine = /^[0-9a-f]{64}$/.test(key) && isSigned(hash.digest(), signature.value, hexToBytes(key));
  const log = file.size <= LONGEST_EXPORT ? checkBets(jsonIn(await file.text()), witnesses) : null;
  return { verdict: isGenuine ? "genuine" : "changed", key, log };
}

/** Null for a table. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A longer file is refused without being read. */
export const checkEvidenceFile = async (file: File): Promise<CheckedEvidence> =>
  file.size > LONGEST_EVIDENCE ? { refused: TOO_LONG } : checkEvidence(new Uint8Array(await file.arrayBuffer()));
