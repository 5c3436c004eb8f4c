import { parseArgs } from "node:util";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { failedChecks, failedInChain, lateBy, type ChainDraw, type DrawCheck } from "#shared/lottery/fairness.ts";
import type { OddsRecord } from "#shared/lottery/odds-record.ts";
import { isPauseTold, type GapReason, type ToldChange } from "#shared/lottery/pauses.ts";
import type { ExportLog } from "#shared/log/check-export.ts";
import { COSIGNATURE_KEY, parseKey, type NoteKey } from "#shared/log/note.ts";
import { parseRound, spanOf, type Timetable } from "#shared/lottery/schedule.ts";
import { clockOf } from "#shared/time.ts";
import { readConfig } from "./config/config.ts";
import type { ExportVerdict } from "#shared/export-signature.ts";
import { verifyEvidence } from "./verify/evidence.ts";
import { verifyBets, verifyExport } from "./verify/export.ts";
import { askServer } from "./verify/published.ts";
import { signerText, verifyLog, type LogArguments } from "./verify/log.ts";

/*
 * Checks a draw, a member's export, the whole public log, or what an app found, from public data alone: no secret of the
 * server is used.
 */
const MEANING: Record<DrawCheck, string> = {
  commit: "the seed matches the commit that was public before betting opened",
  anchor: "the seed leads to the anchor that was public days earlier",
  beacon: "the round has no beacon but the one that its rule allows",
  dice: "the seed gives exactly these dice",
  odds: "the odds of the round have the hash that it names",
};

/** The checks of a round in a gap. Its commit was never shown, so it proves nothing. */
const MEANING_IN_GAP = {
  anchor: MEANING.anchor,
  beacon: MEANING.beacon,
  dice: "the seed gives exactly the dice that the round would have drawn",
  pause: "no pause is needed to explain it, or one was announced two rounds ahead",
};

const USAGE = `usage: npm run verify -- KEY EXPECT [--url URL]
       npm run verify -- export FILE [--url URL | --key HEX] [--witness KEY]…
       npm run verify -- log [--site URL | --copy FOLDER] [--keep FILE] [--save FOLDER]
                                [--witness KEY]…
       npm run verify -- evidence FILE

Checks a draw, a member's export, the whole public log, or what an app found, from public data alone.

  KEY EXPECT   the game and the round, as the app names them: k3-1m 20260302-0001
  export FILE  a file of a member's own data, JSON or CSV; of JSON also whether its bets are in the head that it carries
  log          the public log: its signature, every tile, and all that its leaves say of each other
  evidence FILE  what an app found and saved: says what the file proves by itself, and what it only claims
  --url URL    the server to ask; without it PUBLIC_URL, or http://HOST:PORT (http://127.0.0.1:3000)
  --key HEX    the house's public key, 32 bytes; no server is asked
  --site URL   the site whose log is read; without it as --url
  --copy DIR   a copy of the log in a folder, as --save makes it; no server is asked
  --keep FILE  remembers the log's head there, and checks that the next one continues it
  --witness K  the key of a witness, as its /key shows it: its signature is checked, and must not be false
  --save DIR   saves the log in a folder, and as one file, log.json, for the page that checks offline

Exit 0: genuine; of evidence: it convicts the house. 1: not genuine, not proven, not drawn yet, or it could not be
checked, with the reason. 2: wrong usage.`;

const VERDICT: Record<ExportVerdict, string> = {
  genuine: "genuine: every byte is as the house signed it",
  changed: "NOT genuine: it differs from what the house signed, or another key signed it",
  unsigned: "NOT genuine: it does not end with a signature; the download may be incomplete",
};

const LOG_OPTIONS = ["site", "copy", "keep", "save"] as const;

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const given = parse(words);
  if (given === "help") return print(USAGE, 0);
  if (typeof given === "string") return print(`${given}\n\n${USAGE}`, 2);
  try {
    if (given.what === "log") {
      const { text, isFine } = await verifyLog(given);
      return print(text, isFine ? 0 : 1);
    }
    if (given.what === "evidence") {
      const { text, isFine } = await verifyEvidence(given.file);
      return print(text, isFine ? 0 : 1);
    }
    return given.what === "export" ? await verifyFile(given) : await verify(given);
  } catch (error) {
    return print((error as Error).message, 1);
  }
}

type Arguments =
  | ({ what: "log" } & LogArguments)
  | { what: "evidence"; file: string }
  | ({ url: string } & (
      | { what: "export"; file: string; key: string | undefined; witnesses: readonly NoteKey[] }
      | { what: "draw"; key: string; round: string }
    ));

/** Returns `help`, an error text, or what to check. */
function parse(words: string[]): Arguments | string {
  const text = { type: "string" } as const;
  const forLog = {
    site: text,
    copy: text,
    keep: text,
    save: text,
    witness: { type: "string", multiple: true },
  } as const;
  const options = { url: text, key: text, ...forLog, help: { type: "boolean" } } as const;
  try {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    if (values.help) return "help";
    const [first, second] = positionals;
    const witnesses = (values.witness ?? []).map(parseKey);
    const isWitness = (one: NoteKey | null): one is NoteKey => one?.type === COSIGNATURE_KEY;
    if (!witnesses.every(isWitness)) return "--witness takes the line that a witness shows at its /key.";
    if (first === "log" && positionals.length === 1) return parseLog(values, witnesses);
    if (first === "evidence" && positionals.length === 2)
      return Object.keys(values).length > 0 ? "evidence takes no options." : { what: "evidence", file: second! };
    const other = LOG_OPTIONS.find((option) => values[option] !== undefined);
    if (other) return `--${other} works with log only.`;
    if (!first || !second || positionals.length > 2)
      return "Give KEY and EXPECT, or export or evidence and FILE, or log.";
    const url = siteOf(values.url);
    if (!isSite(url)) return `${url} is not an address such as http://127.0.0.1:3000.`;
    if (first === "export") {
      const { key } = values;
      return key === undefined || isKey(key)
        ? { what: "export", url, file: second, key, witnesses }
        : "--key must be 32 bytes of hex.";
    }
    return values.key === undefined
      ? { what: "draw", url, key: first, round: second }
      : "--key works with export only.";
  } catch (error) {
    return (error as Error).message;
  }
}

type LogValues = Partial<Record<"url" | "key" | (typeof LOG_OPTIONS)[number], string>>;

function parseLog({ url, key, site: named, copy, keep, save }: LogValues, witnesses: NoteKey[]): Arguments | string {
  if (url !== undefined || key !== undefined) return "log takes --site, and no --url or --key.";
  if (named !== undefined && copy !== undefined) return "Give --site or --copy, not both.";
  const site = siteOf(named);
  if (!isSite(site)) return `${site} is not an address such as http://127.0.0.1:3000.`;
  return { what: "log", site, copy, keep, save, witnesses, clock: clockOf({ kind: "wall" }) };
}

function siteOf(given: string | undefined): string {
  return (given ?? readConfig(process.env, []).publicUrl).replace(/\/+$/, "");
}

function isSite(url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url);
}

interface FairRound {
  kind: string;
  index: number;
  commit: string | null;
  seed: string | null;
  rule: string;
  beacon: string;
  beacon_signature: string;
  opencode: number[] | null;
  odds: OddsRecord | null;
  closes: number;
  due: number;
  drawn: number | null;
  gap: { from: string; to: string; reason: GapReason; opencode: number[] | null } | null;
}

async function verify({ url, key, round }: Extract<Arguments, { what: "draw" }>): Promise<number> {
  const fair = await askServer<FairRound>(url, "/fair/round", { key, expect: round });
  const anchors = await askServer<{ day: string; anchor: string }[]>(url, "/fair/anchors", { key });
  const anchor = anchors.find(({ day }) => day === round.slice(0, 8))?.anchor ?? "";
  if (fair.gap) return verifyGap({ url, key, round }, fair, anchor);
  const { kind, seed, opencode: dice, commit, index, odds, drawn } = fair;
  const times = await timesOf(url, key, round, drawn);
  if (seed === null || dice === null || commit === null)
    return print(`${key} ${round} is not drawn yet. Its commit is ${commit}.\n${times}`, 1);
  const place = { gameKey: key, kind, round, index, anchor, due: await dueOf(url, key, round) };
  const failed = failedChecks({ ...place, commit, seed, dice, odds, ...beaconIn(fair) }, QUICKNET_BEACONS);
  const facts = `${key} ${round}: dice ${dice.join(" ")}\n  seed   ${seed}\n  commit ${commit}\n  anchor ${anchor}\n  odds   ${odds?.hash}\n  beacon ${beaconText(fair)}`;
  return print(`${facts}\n${times}\n${answers(MEANING, failed)}`, failed.length ? 1 : 0);
}

/** What a round that never opened would have drawn. */
async function verifyGap(
  { url, key, round }: Omit<Extract<Arguments, { what: "draw" }>, "what">,
  { kind, index, commit, seed, gap, ...fair }: FairRound,
  anchor: string,
): Promise<number> {
  const { from, to, reason, opencode: dice } = gap!;
  const head = `${key} ${round} was never opened. It is in the gap ${from} to ${to}, reason: ${reason}.`;
  const failed: string[] = reason === "paused" && !(await isAnnounced(url, key, round)) ? ["pause"] : [];
  if (seed === null || dice === null || commit === null) {
    const pause = answers({ pause: MEANING_IN_GAP.pause }, failed);
    return print(`${head}\n  What it would have drawn is not public yet.\n${pause}`, 1);
  }
  const place = { gameKey: key, kind, round, index, anchor, due: await dueOf(url, key, round) };
  const drawn: ChainDraw = { ...place, commit, seed, dice, ...beaconIn(fair) };
  failed.push(...failedInChain(drawn, QUICKNET_BEACONS));
  const facts = `${head}\n  It would have drawn ${dice.join(" ")}\n  seed   ${seed}\n  anchor ${anchor}`;
  return print(`${facts}\n${answers(MEANING_IN_GAP, failed)}`, failed.length ? 1 : 0);
}

type BeaconOfRound = Pick<FairRound, "rule" | "beacon" | "beacon_signature" | "closes">;

function beaconIn({ rule, beacon, beacon_signature: signature, closes }: BeaconOfRound) {
  return { rule, beacon, signature, closes };
}

/** The rule, with the beacon where there is one. */
function beaconText({ rule, beacon }: BeaconOfRound): string {
  return beacon ? `${rule}\n         ${beacon}` : rule;
}

/** When a draw was due, by the game's own timetable. */
async function dueOf(url: string, key: string, round: string): Promise<number> {
  return spanOf(await timetableOf(url, key), parseRound(round)!).drawsAt;
}

/** When a draw was due, and when it is said to have been. */
async function timesOf(url: string, key: string, round: string, drawn: number | null): Promise<string> {
  const due = await dueOf(url, key, round);
  const at = (ms: number) => new Date(ms).toISOString();
  if (drawn === null) return `  due    ${at(due)}`;
  const late = lateBy({ due, drawn });
  return `  due    ${at(due)}\n  drawn  ${at(drawn)}${late ? `\n  LATE   by ${late} s` : ""}`;
}

async function isAnnounced(url: string, key: string, round: string): Promise<boolean> {
  const told = await askServer<ToldChange[]>(url, "/fair/pauses", { key });
  return isPauseTold(await timetableOf(url, key), told, round);
}

async function timetableOf(url: string, key: string): Promise<Timetable> {
  const { period } = await askServer<{ period: number }>(url, "/Lottery/getLotteryInfo", { key });
  return { periodS: period, closeS: 0 };
}

function answers(meanings: Record<string, string>, failed: readonly string[]): string {
  const lines = Object.entries(meanings).map(
    ([check, meaning]) => `  ${failed.includes(check) ? "NO " : "yes"}  ${meaning}`,
  );
  return lines.join("\n");
}

/** With `--key`, no server is asked. */
async function verifyFile({
  url,
  file,
  key: given,
  witnesses,
}: Extract<Arguments, { what: "export" }>): Promise<number> {
  const known = given === undefined ? await exportKeysOf(url) : [given];
  const { verdict, key } = await verifyUnderOne(file, known).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  const lines = [`${file}: ${VERDICT[verdict]}`, `  key ${key}`];
  const log = verdict === "genuine" ? await verifyBets(file, witnesses) : null;
  if (log) lines.push(...linesOfBets(log));
  const isFine = verdict === "genuine" && (log === null || (log.isSigned && log.faulty.length === 0));
  return print(lines.join("\n"), isFine ? 0 : 1);
}

/** All keys that the site signs exports with, or did: the newest first. */
async function exportKeysOf(url: string): Promise<string[]> {
  const { key, keys } = await askServer<{ key: string; keys: { key: string }[] }>(url, "/fair/export-key", {});
  const all = [...new Set([key, ...keys.map((one) => one.key).reverse()])];
  if (!all.every(isKey)) throw new Error(`${url} returned no key.`);
  return all;
}

/** The verdict under the key that signed the file; under the newest, where none did. */
async function verifyUnderOne(file: string, keys: readonly string[]) {
  for (const key of keys) {
    const verdict = await verifyExport(file, key);
    if (verdict === "genuine") return { verdict, key };
  }
  return { verdict: await verifyExport(file, keys[0]!), key: keys[0]! };
}

function linesOfBets({ head, signers, isSigned, isKeyShown, proven, faulty }: ExportLog): string[] {
  const not = isKeyShown
    ? "NOT as its key, or a witness, signed them"
    : "NOT proven: nothing here leads from the log's first key to the one that is named";
  return [
    `  log ${head.origin}`,
    `      ${head.size} leaves, ${isSigned ? "as its key signed them" : not}`,
    `      also signed by ${signers.map(signerText).join(", ") || "nobody"}`,
    `  ${proven} bets are among those that this head counts`,
    ...(faulty.length > 0 ? [`  NO  these are not: ${faulty.join(", ")}`] : []),
  ];
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function print(text: string, exit: number): number {
  (exit ? process.stderr : process.stdout).write(`${text}\n`);
  return exit;
}

/** Calls a server as every client does. Throws an Error that says what to do next. */
