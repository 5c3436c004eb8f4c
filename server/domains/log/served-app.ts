import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { servedApps } from "#db/schema/log.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { OFFLINE_PAGE, servedHash, servedText } from "#shared/log/served-files.ts";
import { addNewLeaf } from "./add-leaf.ts";

/** What this server serves as the app: its files as one text, and the hashes that the log states. */
export interface ServedApp {
  text: string;
  version: string;
  files: string;
  page: string;
}

/** Copies that the build compressed hold the same. */
const COMPRESSED = /\.(br|gz|zst)$/;
/** What a build notes for itself; nobody is sent it. */
const HIDDEN = /(^|[/\\])\.[^/\\]+$/;

const ROOT = join(import.meta.dirname, "../../..");
/** Where the build puts the app. */
export const BUILT = join(ROOT, "dist");

/** Reads the built app. Null where there is none. */
export async function readApp(folder = BUILT): Promise<ServedApp | null> {
  if (!existsSync(join(folder, OFFLINE_PAGE))) return null;
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = [];
  for (const path of paths.filter((one) => !COMPRESSED.test(one) && !HIDDEN.test(one))) {
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    files.push({ path: relative(folder, path).split(sep).join("/"), hash });
  }
  const text = servedText(files);
  const page = files.find(({ path }) => path === OFFLINE_PAGE)!.hash;
  return { text, version, files: servedHash(text), page };
}

let built: Promise<ServedApp | null> | undefined;

/** The built app as this process first read it: what it serves stays the same until it ends. */
export const builtApp = (): Promise<ServedApp | null> => (built ??= readApp());

type Row = typeof servedApps.$inferSelect;

export const appLeaf = ({ version, files, page, createdAt }: Omit<Row, "id">): Leaf<"app"> => ({
  kind: "app",
  version,
  files,
  page,
  from: createdAt,
});

/** States what is served, if that was not served before. Of servers that start together one does it. */
export async function stateApp(tx: Tx, { version, files, page }: Omit<ServedApp, "text">, now: number): Promise<void> {
  const [last] = await tx.select().from(servedApps).orderBy(desc(servedApps.id)).limit(1);
  if (last && last.version === version && last.files === files && last.page === page) return;
  // Two in one millisecond would be one subject.
  const createdAt = Math.max(now, (last?.createdAt ?? 0) + 1);
  await tx.insert(servedApps).values({ version, files, page, createdAt });
  await addNewLeaf(tx, appLeaf({ version, files, page, createdAt }));
}
