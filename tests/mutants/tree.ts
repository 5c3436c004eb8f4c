import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runFolder } from "../support/run-folder.ts";
import { ROOT } from "../support/source-files.ts";

/** A copy of the tree, in which files change. It goes with this process. */
export function copyTree(): string {
  const copy = join(runFolder(tmpdir()), "tree");
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const path of listed.split("\0")) {
    if (!path || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  for (const made of ["node_modules", "dist"])
    if (existsSync(join(ROOT, made))) symlinkSync(join(ROOT, made), join(copy, made));
  return copy;
}

export const writeIn = (copy: string, file: string, text: string): void => writeFileSync(join(copy, file), text);
