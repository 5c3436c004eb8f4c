import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const NAME = /^trio-tests-(\d+)$/;

/** A folder for all files of this run, below `parent`. It goes with the run; those of interrupted runs go now. */
export function runFolder(parent: string): string {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `trio-tests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // PostgreSQL has its own user.
  chmodSync(folder, 0o755);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
