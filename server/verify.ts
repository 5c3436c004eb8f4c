import { parseArgs } from "node:util";
import { failedChecks, type DrawCheck } from "#shared/lottery/fairness.ts";
import { readConfig } from "./config.ts";
import { verifyExport, type ExportVerdict } from "./verify-export.ts";

/*
 * Checks a draw, or a file of a member's own data, from public data alone: what the server answers to anybody,
 * and nothing it keeps. Exit 0: genuine. 1: not, or not drawn yet. 2: wrong use.
 */
const MEANING: Record<DrawCheck, string> = {
  commit: "the seed is the one that was committed to before betting opened",
  anchor: "the seed leads to the anchor that was public days before",
  dice: "the seed gives these dice and no others",
};

const USAGE = `usage: npm run verify -- KEY EXPECT [--url http://127.0.0.1:3000]
       npm run verify -- export FILE [--url http://127.0.0.1:3000 | --key HEX]`;

const VERDICT: Record<ExportVerdict, string> = {
  genuine: "genuine: every byte is as the house signed it",
  changed: "NOT genuine: it is not what the house signed, or was signed with another key",
  unsigned: "NOT genuine: it does not end with a signature; it may have broken off",
};

process.exitCode = await main();

async function main(): Promise<number> {
  const options = { url: { type: "string" }, key: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [key, expect] = positionals;
  if (!key || !expect) return say(USAGE, 2);
  const url = values.url ?? readConfig(process.env, []).publicUrl;
  try {
    return key === "export" ? await verifyFile(url, expect, values.key) : await verify(url, key, expect);
  } catch (error) {
    return say(`${url}: ${(error as Error).message}`, 1);
  }
}

async function verify(url: string, key: string, expect: string): Promise<number> {
  const round = await ask<FairRound>(url, "/fair/round", { key, expect });
  const anchors = await ask<{ day: string; anchor: string }[]>(url, "/fair/anchors", { key });
  const { kind, seed, opencode, commit, index, beacon } = round;
  if (seed === null || opencode === null) return say(`${key} ${expect} is not drawn yet. Its commit is ${commit}.`, 1);
  const anchor = anchors.find(({ day }) => day === expect.slice(0, 8))?.anchor ?? "";
  const failed = failedChecks({
    gameKey: key,
    kind,
    round: expect,
    index,
    commit,
    seed,
    beacon,
    dice: opencode,
    anchor,
  });
  const lines = Object.entries(MEANING).map(([check, meaning]) =>
    failed.includes(check as DrawCheck) ? `  NO   ${meaning}` : `  yes  ${meaning}`,
  );
  const facts = `${key} ${expect}: dice ${opencode.join(" ")}\n  seed   ${seed}\n  commit ${commit}\n  anchor ${anchor}`;
  return say(`${facts}\n${lines.join("\n")}`, failed.length ? 1 : 0);
}

/** With a key at hand no server is asked. */
async function verifyFile(url: string, file: string, given?: string): Promise<number> {
  const key = given ?? (await ask<{ key: string }>(url, "/fair/export-key", {})).key;
  if (!/^[0-9a-f]{64}$/.test(key)) return say("a key is 32 bytes of hex", 2);
  const verdict = await verifyExport(file, key);
  return say(`${file}: ${VERDICT[verdict]}\n  key ${key}`, verdict === "genuine" ? 0 : 1);
}

interface FairRound {
  kind: string;
  index: number;
  commit: string;
  seed: string | null;
  beacon: string;
  opencode: number[] | null;
}

async function ask<T>(url: string, path: string, query: Record<string, string>): Promise<T> {
  const headers = { "x-data-encoding": "json", lang: "en_us" };
  const response = await fetch(`${url}/api${path}?${new URLSearchParams(query).toString()}`, { headers });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: T };
  if (code !== 200) throw new Error(msg);
  return data;
}

function say(text: string, exit: number): number {
  (exit ? process.stderr : process.stdout).write(`${text}\n`);
  return exit;
}
