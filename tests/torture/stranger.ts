import { hash } from "node:crypto";
import { siteFiles } from "#server/verify/log-files.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { readLog } from "#shared/log/read-tiles.ts";

/** What a stranger finds who reads the whole log. It has to say so many restores. */
export async function readPublicLog(address: string, restores = 0): Promise<string[]> {
  const reading = { hash: (bytes: Uint8Array) => hash("sha256", bytes, "buffer"), kept: null };
  const { findings } = await readLog(siteFiles(address), reading);
  const said = findings.filter(({ id }) => id === "restored").length;
  const problems = findings.filter(({ strength }) => strength === "problem").map(sentenceOf);
  return said === restores ? problems : [...problems, `the log says ${said} restores`];
}
