import { asc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { banners, notices, prizes, settings, wheelTables } from "#db/schema/index.ts";

/** A row that refers to files in the storage. */
export interface FileReference {
  /** What the operator knows it by. */
  of: string;
  /** The storage's names of the files. */
  files: string[];
  /** What can be done besides restoring the files. */
  mend: string;
}

/** An address of ours within any text. What ships with the app lies elsewhere, and so does what another site shows. */
const STORED = /(?<![\w.:/-])\/files\/((?:uploads|pictures)\/[\w/-]+\.(?:webp|avif))/g;

/** The stored files whose addresses stand in a value, each once. */
export const filesIn = (value: unknown): string[] => [
  ...new Set(Array.from(JSON.stringify(value).matchAll(STORED), ([, name]) => name!)),
];

/** What refers to files by an address in one of its texts. There are few of each kind. */
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
    ...noticeRows.map(({ id, name, text }) =>
      referenceOf(`notice ntc_${id}`, [name, text], "put up another (notice:add)"),
    ),
    ...settingRows.map(({ name, value }) => referenceOf(`setting ${name}`, value, `set another (setting:set ${name})`)),
  ];
  const known = new Set(references.flatMap(({ files }) => files));
  return [...references, ...(await formerPrizes(read, known))].filter(({ files }) => files.length > 0);
}

const referenceOf = (of: string, value: unknown, mend: string): FileReference => ({ of, files: filesIn(value), mend });

/** Pictures that prizes had once: wins are still shown with them. Each is named with the first table that has it. */
async function formerPrizes(read: Tx, known: Set<string>): Promise<FileReference[]> {
  const references: FileReference[] = [];
  for (const { id, prizes: then } of await read.select().from(wheelTables).orderBy(asc(wheelTables.id))) {
    const files = filesIn(then).filter((file) => !known.has(file));
    for (const file of files) known.add(file);
    references.push({ of: `wheel table ${id}`, files, mend: "leave it: old wins are then shown without a picture" });
  }
  return references;
}
