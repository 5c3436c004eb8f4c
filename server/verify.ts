import { parseArgs } from "node:util";
import { failedChecks, type DrawCheck } from "#shared/lottery/fairness.ts";
import { readConfig } from "./config.ts";

/*
 * Checks a draw from public data alone: what the server answers to anybody,
 * and nothing it keeps. Exit 0: genuine. 1: not, or not drawn yet. 2: wrong use.
 */
const MEANING: Record<DrawCheck, string> = {
  commit: "the seed is the one that was committed to before betting opened",
  anchor: "the seed leads to the anchor that was public days before",
  dice: "the seed gives these dice and no others",
};

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { url: { type: "string" } } });
  const [key, expect] = positionals;
  if (!key || !expect) return say("usage: npm run verify -- KEY EXPECT [--url http://127.0.0.1:3000]", 2);
  const url = values.url ?? readConfig(process.env, []).publicUrl;
  try {
    return await verify(url, key, expect);
  } catch (error) {
    return say(`${url}: ${(error as Error).message}`, 1);
  }
}

async function verify(url: string, key: string, expect: string): Promise<number> {
  const round = await ask<FairRound>(url, "/fair/round", { key, expect });
  const anchors = await ask<{ day: string; anchor: string }[]>(url, "/fair/anchors", { key });
  const { seed, opencode, commit, index, beacon } = round;
  if (seed === null || opencode === null) return say(`${key} ${expect} is not drawn yet. Its commit is ${commit}.`, 1);
  const anchor = anchors.find(({ day }) => day === expect.slice(0, 8))?.anchor ?? "";
  const failed = failedChecks({ gameKey: key, round: expect, index, commit, seed, beacon, dice: opencode, anchor });
  const lines = Object.entries(MEANING).map(([check, meaning]) =>
    failed.includes(check as DrawCheck) ? `  NO   ${meaning}` : `  yes  ${meaning}`,
  );
  const facts = `${key} ${expect}: dice ${opencode.join(" ")}\n  seed   ${seed}\n  commit ${commit}\n  anchor ${anchor}`;
  return say(`${facts}\n${lines.join("\n")}`, failed.length ? 1 : 0);
}

interface FairRound {
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
