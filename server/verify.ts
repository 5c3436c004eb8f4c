import { parseArgs } from "node:util";
import type { ExportLog } from "#shared/log/check-export.ts";
import { printable } from "#shared/log/evidence/verdict.ts";
import { isHex } from "#shared/log/strict.ts";
import { COSIGNATURE_KEY, parseKey, type NoteKey } from "#shared/log/note.ts";
import { clockOf } from "#shared/time.ts";
import { readConfig } from "./config/config.ts";
import type { ExportVerdict } from "#shared/export-signature.ts";
import { verifyDraw } from "./verify/draw.ts";
import { verifyEvidence } from "./verify/evidence.ts";
import { verifyBets, verifyExport } from "./verify/export.ts";
import { exportKeys } from "./verify/answers.ts";
import { askServer } from "./verify/published.ts";
import { signerText, verifyLog, type LogArguments } from "./verify/log.ts";

/*
 * Checks a draw, a member's export, the whole public log, or what an app found, from public data alone: no secret of the
 * server is used.
 */
const USAGE = `usage: npm run verify -- KEY EXPECT [--url URL]
       npm run verify -- export FILE [--url URL | --key HEX] [--witness KEY]…
       npm run verify -- log [--site URL | --copy FOLDER] [--keep FILE] [--save FOLDER]
                                [--witness KEY]…
       npm run verify -- evidence FILE

Checks a draw, a member's export, the whole public log, or what an app found, from public data alone.

  KEY EXPECT   the game and the round, as the app names them: k3-1m 20260302-0001. What it opened with, and the day's
               anchor, are read in the site's public log
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
    if (given.what === "export") return await verifyFile(given);
    const { text, isFine } = await verifyDraw(given.url, given.key, given.round);
    return print(text, isFine ? 0 : 1);
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
      return key === undefined || isHex(key)
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
  const { key, keys } = await askServer(url, "/fair/export-key", {}, exportKeys);
  return [...new Set([key, ...keys.map((one) => one.key).reverse()])];
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
    ...(faulty.length > 0 ? [`  NO  these are not: ${faulty.map(printable).join(", ")}`] : []),
  ];
}

/** Names of a site's log and its witnesses may have letters that a terminal obeys, but no newline. */
function print(text: string, exit: number): number {
  const lines = text.split("\n").map(printable);
  (exit ? process.stderr : process.stdout).write(`${lines.join("\n")}\n`);
  return exit;
}
