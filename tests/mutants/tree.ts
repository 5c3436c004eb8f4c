import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runFolder } from "../support/run-folder.ts";
import { ROOT } from "../support/source-files.ts";

const TEST = /\.(test|contract)\.tsx?$/;
const CONCURRENT = ".concurrent(";

/**
 * A copy of the tree, in which files change. It goes with this process. Its tests run one after the other: of those that
 * run at once nobody could tell which ran a statement, or which failed.
 */
export function copyTree(): string {
  const copy = join(runFolder(tmpdir()), "tree");
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const path of listed.split("\0")) {
    if (!path || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    const text = TEST.test(path) ? readFileSync(join(ROOT, path), "utf8") : "";
    if (text.includes(CONCURRENT)) writeIn(copy, path, text.replaceAll(CONCURRENT, "("));
    else cpSync(join(ROOT, path), join(copy, path));
  }
  for (const made of ["node_modules", "dist"])
    if (existsSync(join(ROOT, made))) symlinkSync(join(ROOT, made), join(copy, made));
  return copy;
}

export const writeIn = (copy: string, file: string, text: string): void => writeFileSync(join(copy, file), text);
