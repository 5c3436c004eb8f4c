import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fairOrigins } from "#shared/contract/log.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { outcomeOf, sentenceOf, type Finding } from "#shared/log/check/finding.ts";
import { BUNDLE_END, bundleHead, bundleLeaf } from "#shared/log/bundle.ts";
import type { OtherSigner } from "#shared/log/cosignature.ts";
import { keyText, noteText, type NoteKey } from "#shared/log/note.ts";
import { restoresIn, type RestoreAt } from "#shared/log/origins.ts";
import type { LogVerdict } from "#shared/log/read-head.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { readEntries, readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { wordsOf } from "#shared/log/words.ts";
import { QUICKNET } from "#shared/lottery/beacon.ts";
import { toIso, type Clock } from "#shared/time.ts";
import { folderFiles, savingFiles, siteFiles } from "./log-files.ts";
import { fairOrigins as shownOrigins } from "./answers.ts";
import { askServer, publishedOdds } from "./published.ts";
import { servedFaults } from "./served.ts";
import { headIn } from "./fork-file.ts";
import { compareKept } from "./compare-kept.ts";
import { keptOf, readKept } from "./kept-head.ts";
import { serverHash } from "./read-subtrees.ts";

export interface LogArguments {
  site: string;
  /** Read from here instead of the site. */
  copy: string | undefined;
  /** Remembers the head in this file, and compares it with the one before. */
  keep: string | undefined;
  /** Saves what was read in this folder. */
  save: string | undefined;
  /** Witnesses whose signatures are checked. */
  witnesses: readonly NoteKey[];
  clock: Clock;
}

/** Checks the public log of a site, or a copy of it. Returns what to print, and whether nothing contradicts itself. */
export async function verifyLog({
  site,
  copy,
  keep,
  save,
  witnesses,
  clock,
}: LogArguments): Promise<{ text: string; isFine: boolean }> {
  const kept = keep === undefined ? null : await readKept(keep);
  const source = copy === undefined ? siteFiles(site) : folderFiles(copy);
  const files = save === undefined ? source : savingFiles(source, save);
  const beacons = drandCheck([QUICKNET]);
  const head = kept && keptOf(headIn(kept.newest));
  const readRestores = async () => (copy === undefined ? shownRestores(site) : null);
  const verdict = await readLog(files, { hash: serverHash, kept: head, readRestores, beacons, witnesses });
  const lines = [linesOf(verdict, copy ?? site)];
  const compared =
    keep === undefined ? null : await compareKept({ keep, kept, site, files, now: clock.now() }, verdict);
  const served = copy === undefined && verdict.whole ? await comparedApp(site, source, verdict.whole.app) : NOT_ASKED;
  lines.push(...served.lines);
  const odds = copy === undefined ? await publishedOdds(site, verdict.whole?.odds ?? []) : NOT_ASKED;
  lines.push(...odds.lines);
  lines.push(...(compared?.proven ?? []).map((one) => `  PROVEN ${one}`));
  const isWhole = outcomeOf(verdict.findings) === "fine" && served.isFine && odds.isFine;
  const isFine = isWhole && (compared?.follows ?? true);
  if (save !== undefined && verdict.whole) {
    await saveBundle(save, verdict);
    lines.push(`  saved  ${save}, and as one file ${join(save, "log.json")}`);
  }
  const said = await compared?.keep(isFine);
  if (said) lines.push(said);
  return { text: lines.join("\n"), isFine };
}

/** The restores that a site shows. Null where it does not answer. */
const shownRestores = (site: string): Promise<RestoreAt | null> =>
  askServer(site, fairOrigins.path, {}, shownOrigins).then(restoresIn, () => null);

/** What a copy says of the site: nothing. */
const NOT_ASKED = { lines: [], isFine: true };

/** What is said of the app that a site serves. */
async function comparedApp(site: string, files: LogFiles, leaf: Leaf<"app"> | null) {
  const faults = await servedFaults(site, files, leaf).catch((error: Error) => [
    `What is served could not be compared with the log: ${error.message}`,
  ]);
  const agrees = leaf
    ? "  app    what is served is what the log names"
    : "  note   no app is served, and the log names none";
  const lines = faults.length > 0 ? faults.map((fault) => `  problem  ${fault}`) : [agrees];
  return { lines, isFine: faults.length === 0 };
}

/** A signer beside the house, and when they signed. */
export const signerText = ({ name, at, isFalse }: OtherSigner): string =>
  `${name} (${isFalse ? "false" : at === null ? "not checked: give its key with --witness" : toIso(at)})`;

function linesOf({ head, note, key, signers, hour, whole, findings, counts }: LogVerdict, source: string): string {
  const lines: string[] = [];
  if (head && note && key) {
    lines.push(head.origin);
    lines.push(
      `  leaves ${head.size}${whole?.first && whole.last ? `, ${toIso(whole.first)} to ${toIso(whole.last)}` : ""}`,
    );
    if (hour)
      lines.push(`  words  ${wordsOf(hour.head).join(" ")}`, `         of the first head since ${toIso(hour.hour)}`);
    lines.push(`  also signed by ${signers.map(signerText).join(", ") || "nobody"}`);
  } else lines.push(source);
  if (whole && whole.games.length > 0) lines.push(`  games  ${whole.games.join(", ")}`);
  const shown = (strength: string) => findings.filter((one) => one.strength === strength);
  const kinds = (some: readonly Finding[]) => [...new Set(some.map(({ id }) => id))];
  for (const [strength, mark] of [
    ["note", "note"],
    ["problem", "NO  "],
  ] as const) {
    for (const id of kinds(shown(strength))) {
      const some = findings.filter((one) => one.id === id);
      lines.push(...some.map((one) => `  ${mark}   ${sentenceOf(one)}`));
      const more = counts.get(id)! - some.length;
      if (more > 0) lines.push(`  ${mark}   and ${more} more like this`);
    }
  }
  const problems = kinds(shown("problem")).reduce((sum, id) => sum + counts.get(id)!, 0);
  const endings = {
    fine: "  yes    nothing in this log contradicts itself",
    unread: "  This log could not be read whole, so nothing of it is proven.",
    contradicted: `  What contradicts what was signed: ${problems}`,
  };
  lines.push(endings[outcomeOf(findings)]);
  return lines.join("\n");
}

/** The same log as one file, for the page that checks offline. */
async function saveBundle(folder: string, { head, note, key }: LogVerdict): Promise<void> {
  await mkdir(folder, { recursive: true });
  const size = head!.size;
  const out = createWriteStream(join(folder, "log.json"));
  const write = async (text: string) => void (out.write(text) || (await once(out, "drain")));
  await write(bundleHead(noteText(note!), keyText(key!)));
  const saved = folderFiles(folder);
  for (let index = 0; index * WIDTH < size; index++) {
    const width = Math.min(WIDTH, size - index * WIDTH);
    for (const [i, entry] of (await readEntries(saved, { index, width }))!.entries())
      await write(bundleLeaf(parseUtf8(entry) ?? "", index * WIDTH + i + 1 === size));
  }
  await write(BUNDLE_END);
  out.end();
  await finished(out);
}
