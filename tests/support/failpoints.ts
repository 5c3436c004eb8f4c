import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The file that lists the armed failpoints for this process, its threads and its children (db/failpoint.ts). It stays the
 * same where this module is loaded anew: the product remembers its name.
 */
const file = (process.env.FAILPOINTS ??= join(mkdtempSync(join(tmpdir(), "trio-failpoints-")), "armed"));

/** Arms exactly these failpoints, each a line such as `settle.credit:1 throw`. */
export function arm(...lines: string[]): void {
  writeFileSync(file, lines.join("\n"));
}

export function disarm(): void {
  rmSync(file, { force: true });
}

/** Whether one is armed that has not acted as often as it may. */
export const isArmed = (): boolean => existsSync(file) && readFileSync(file, "utf8") !== "";
