import { hash } from "node:crypto";
import { siteFiles } from "#server/verify/log-files.ts";
import { sentenceOf, type Finding } from "#shared/log/check/finding.ts";
import { readLog } from "#shared/log/read-tiles.ts";

interface Expected {
  /** What the log has to say. */
  restores?: number;
  /** What it may say of what was done to the site. */
  mayFind?: (finding: Finding) => boolean;
}

/** What a stranger finds who reads the whole log. */
export async function readPublicLog(
  address: string,
  { restores = 0, mayFind = () => false }: Expected = {},
): Promise<string[]> {
  const reading = { hash: (bytes: Uint8Array) => hash("sha256", bytes, "buffer"), kept: null };
  const { findings } = await readLog(siteFiles(address), reading);
  const said = findings.filter(({ id }) => id === "restored").length;
  const problems = findings.filter((one) => one.strength === "problem" && !mayFind(one)).map(sentenceOf);
  return said === restores ? problems : [...problems, `the log says ${said} restores`];
}
