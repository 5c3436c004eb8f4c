import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** A source file by its path from the root, with `/` on every system. */
export interface SourceFile {
  path: string;
  text: string;
}

const WRITTEN = "{locales,shared,db,server,client,console,tests}/**/*.{ts,tsx,mjs,css}";
const GENERATED = ["db/migrations/", "node_modules/", "dist/"];

/** Every source file that people write: code, styles and tests. */
export function readSourceFiles(): SourceFile[] {
  const paths = globSync(WRITTEN, { cwd: ROOT }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .filter((path) => !GENERATED.some((folder) => path.includes(folder)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}
