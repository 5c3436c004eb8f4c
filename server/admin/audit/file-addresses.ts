import { asc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { banners, notices, prizes, settings, wheelTables } from "#db/schema/index.ts";

/** A row that refers to files in the storage. */
export interface FileReference {
  /** The operator's name for the row. */
  of: string;
  /** The files' names in the storage. */
  files: string[];
  /** What the operator can do besides restoring the files. */
  mend: string;
}

/** Finds addresses of stored files in any text. Files of the app, and of other sites, have other addresses. */
const STORED = /(?<![\w.:/-])\/files\/((?:uploads|pictures)\/[\w/-]+\.(?:webp|avif))/g;

/** The stored files whose addresses occur in a value, each once. */
export const filesIn = (value: unknown): string[] => [
  ...new Set(Array.from(JSON.stringify(value).matchAll(STORED), ([, name]) => name!)),
];

/** Rows that refer to files by an address in a text. There are few of each kind. */
export async function addressed(read: Tx): Promise<FileReference[]> {
  const bannerRows = await read.select().from(banners).orderBy(asc(banners.id));
  const prizeRows = await read.select().from(prizes).orderBy(asc(prizes.position));
  const noticeRows = await read.select().from(notices).orderBy(asc(notices.id));
  const settingRows = await read.select().from(settings).orderBy(asc(settings.name));
  const references = [
    ...bannerRows.map(({ id, url }) => referenceOf(`banner ${id}`, url, "add the banner again (banner:add)")),
    ...prizeRows.map(({ id, image, memo }) =>
      referenceOf(`prize ${id}`, [image, memo], "set another picture (prize:set)"),
    ),
    ...noticeRows.map(({ id, name, text, takenBack }) =>
      referenceOf(`notice ntc_${id}`, takenBack ?? [name, text], "put up another (notice:add)"),
    ),
    ...settingRows.map(({ name, value }) => referenceOf(`setting ${name}`, value, `set another (setting:set ${name})`)),
  ];
  const known = new Set(references.flatMap(({ files }) => files));
  return [...references, ...(await formerPrizes(read, known))].filter(({ files }) => files.length > 0);
}

const referenceOf = (of: string, value: unknown, mend: string): FileReference => ({ of, files: filesIn(value), mend });

/** Former pictures of prizes, which old wins still show. Each is reported once, with its first table. */
async function formerPrizes(read: Tx, known: Set<string>): Promise<FileReference[]> {
  const references: FileReference[] = [];
  for (const { id, prizes: then } of await read.select().from(wheelTables).orderBy(asc(wheelTables.id))) {
    const files = filesIn(then).filter((file) => !known.has(file));
    for (const file of files) known.add(file);
    references.push({ of: `wheel table ${id}`, files, mend: "leave it: old wins are then shown without a picture" });
  }
  return references;
}
