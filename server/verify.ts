import { parseArgs } from "node:util";
import { failedChecks, type DrawCheck } from "#shared/lottery/fairness.ts";
import { readConfig } from "./config/config.ts";
import { verifyExport, type ExportVerdict } from "./verify/export.ts";

/*
 * Checks a draw, or a member's export, from public data alone: no secret of the server is used.
 */
const MEANING: Record<DrawCheck, string> = {
  commit: "the seed is the one that was committed to before betting opened",
  anchor: "the seed leads to the anchor that was public days before",
  dice: "the seed gives these dice and no others",
};

const USAGE = `usage: npm run verify -- KEY EXPECT [--url URL]
       npm run verify -- export FILE [--url URL | --key HEX]

Checks a draw, or a member's export, from public data alone.

  KEY EXPECT   the game and the round, as the app names them: k3-1m 20260302-0001
  export FILE  a file of a member's own data, JSON or CSV
  --url URL    which server is asked; without it PUBLIC_URL, or http://HOST:PORT (http://127.0.0.1:3000)
  --key HEX    the house's public key, 32 bytes; no server is asked then

Exit 0: genuine. 1: not genuine, not drawn yet, or not to be checked, with the reason. 2: wrong use.`;

const VERDICT: Record<ExportVerdict, string> = {
  genuine: "genuine: every byte is as the house signed it",
  changed: "NOT genuine: it is not what the house signed, or was signed with another key",
  unsigned: "NOT genuine: it does not end with a signature; it may have broken off",
};

const TIMEOUT_MS = 20_000;
const NEXT_STEP = "Start it there, or name another with --url.";

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const given = parse(words);
  if (given === "help") return print(USAGE, 0);
  if (typeof given === "string") return print(`${given}\n\n${USAGE}`, 2);
  try {
    return given.what === "export" ? await verifyFile(given) : await verify(given);
  } catch (error) {
    return print((error as Error).message, 1);
  }
}

type Arguments = { url: string } & (
  | { what: "export"; file: string; key: string | undefined }
  | { what: "draw"; key: string; round: string }
);

/** Returns `help`, an error text, or what to check. */
function parse(words: string[]): Arguments | string {
  const options = { url: { type: "string" }, key: { type: "string" }, help: { type: "boolean" } } as const;
  try {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    if (values.help) return "help";
    const [first, second] = positionals;
    if (!first || !second || positionals.length > 2) return "KEY and EXPECT are needed, or export and FILE.";
    const url = (values.url ?? readConfig(process.env, []).publicUrl).replace(/\/+$/, "");
    if (!/^https?:/.test(url) || !URL.canParse(url)) return `${url} is no address like http://127.0.0.1:3000.`;
    if (first === "export") {
      const { key } = values;
      return key === undefined || isKey(key) ? { what: "export", url, file: second, key } : "A key is 32 bytes of hex.";
    }
    return values.key === undefined ? { what: "draw", url, key: first, round: second } : "--key belongs to export.";
  } catch (error) {
    return (error as Error).message;
  }
}

interface FairRound {
  kind: string;
  index: number;
  commit: string;
  seed: string | null;
  beacon: string;
  opencode: number[] | null;
}

async function verify({ url, key, round }: Extract<Arguments, { what: "draw" }>): Promise<number> {
  const fair = await askServer<FairRound>(url, "/fair/round", { key, expect: round });
  const anchors = await askServer<{ day: string; anchor: string }[]>(url, "/fair/anchors", { key });
  const { kind, seed, opencode: dice, commit, index, beacon } = fair;
  if (seed === null || dice === null) return print(`${key} ${round} is not drawn yet. Its commit is ${commit}.`, 1);
  const anchor = anchors.find(({ day }) => day === round.slice(0, 8))?.anchor ?? "";
  const failed = failedChecks({ gameKey: key, kind, round, index, commit, seed, beacon, dice, anchor });
  const lines = Object.entries(MEANING).map(([check, meaning]) =>
    failed.includes(check as DrawCheck) ? `  NO   ${meaning}` : `  yes  ${meaning}`,
  );
  const facts = `${key} ${round}: dice ${dice.join(" ")}\n  seed   ${seed}\n  commit ${commit}\n  anchor ${anchor}`;
  return print(`${facts}\n${lines.join("\n")}`, failed.length ? 1 : 0);
}

/** With `--key`, no server is asked. */
async function verifyFile({ url, file, key: given }: Extract<Arguments, { what: "export" }>): Promise<number> {
  const key = given ?? (await askServer<{ key: string }>(url, "/fair/export-key", {})).key;
  if (!isKey(key)) throw new Error(`${url} names no key.`);
  const verdict = await verifyExport(file, key).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  return print(`${file}: ${VERDICT[verdict]}\n  key ${key}`, verdict === "genuine" ? 0 : 1);
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function print(text: string, exit: number): number {
  (exit ? process.stderr : process.stdout).write(`${text}\n`);
  return exit;
}

/** Calls a server as any client does. Throws an Error that says what to do next. */
async function askServer<T>(url: string, path: string, query: Record<string, string>): Promise<T> {
  const headers = { "x-data-encoding": "json", lang: "en_us" };
  const address = `${url}/api${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) => {
    throw new Error(`No server answers at ${url} (${reasonOf(error)}). ${NEXT_STEP}`, { cause: error });
  });
  const reply = (await response.json().catch(() => null)) as { code?: number; msg?: string; data: T } | null;
  if (typeof reply?.code !== "number") throw new Error(`What answers at ${url} is no server of Trio. ${NEXT_STEP}`);
  if (reply.code !== 200) throw new Error(`${url} refuses: ${reply.msg ?? reply.code}`);
  return reply.data;
}

/** `fetch` itself says only that it failed; the cause has the reason. */
function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string };
  return code ?? message;
}
