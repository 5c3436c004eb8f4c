import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Unmovable } from "#db/move/unmovable.ts";

const PRELOAD = new URL("../preload.mjs", import.meta.url).href;
/** The operator's commands are a program of their own. */
const ADMIN = join(import.meta.dirname, "..", "admin", "main.ts");

/** The most problems shown: a screenful. */
const MOST_SHOWN = 10;

interface Report {
  ok: boolean;
  members: number;
  transfers: number;
  rounds: number;
  gaps: number;
  problems?: string[];
  reason?: string;
}

/**
 * Runs the operator's audit on the copy, which has no files of its own yet, and answers what it counted. Throws an
 * Unmovable unless everything agrees.
 */
export async function auditCopy(env: Record<string, string>): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ["--import", PRELOAD, ADMIN, "audit", "--only", "database", "--json"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Without a file handle left it has no output to read.
  await once(child, "spawn");
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  const { ok, problems = [], reason, members, transfers, rounds, gaps } = read(output);
  if (ok && code === 0) return { members, transfers, rounds, gaps } as Record<string, number>;
  if (!problems.length) throw new Unmovable(`The audit of the copy could not run: ${reason ?? `exit ${code}`}.`);
  const shown = problems.slice(0, MOST_SHOWN).map((one) => `\n- ${one}`);
  const more = problems.length > shown.length ? `\n…and ${problems.length - shown.length} more` : "";
  throw new Unmovable(
    `The audit of the copy found what does not match; run it on the source too:${shown.join("")}${more}`,
  );
}

function read(output: string): Partial<Report> {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return {};
  }
}
