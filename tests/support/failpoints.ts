import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file that tells this process, its threads and its children which failpoints are armed (db/failpoint.ts). */
const file = join(mkdtempSync(join(tmpdir(), "trio-failpoints-")), "armed");
process.env.FAILPOINTS = file;

/** Arms these failpoints and no others, each a line such as `settle.credit:1 throw`. */
export function arm(...lines: string[]): void {
  writeFileSync(file, lines.join("\n"));
}

export function disarm(): void {
  rmSync(file, { force: true });
}
