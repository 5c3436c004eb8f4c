import type { Operator } from "#server/admin/command.ts";
import type { FileReference } from "./file-addresses.ts";
import { fileReferences } from "./file-references.ts";
import type { Findings } from "./findings.ts";
import { StorageAway, StoredNames } from "./stored-names.ts";

/** How many rows are checked at once: a bucket is slow for each folder. */
const BATCH = 16;

/**
 * Checks that the storage has every file that a row refers to. Returns the number of these files. Servers may run
 * meanwhile: a file counts as missing only if its row still refers to it after the check.
 */
export async function auditFiles({ db, storage }: Pick<Operator, "db" | "storage">, found: Findings): Promise<number> {
  try {
    const { files, missing: suspects } = await findMissing(fileReferences(db.read), new StoredNames(storage));
    if (!suspects.length) return files;
    // Some files may have come after their folder was listed.
    const { missing } = await findMissing(suspects, new StoredNames(storage));
    const gone = new Map(missing.map((one) => [one.of, new Set(one.lacking)]));
    for await (const reference of fileReferences(db.read)) {
      const lacking = reference.files.filter((file) => gone.get(reference.of)?.has(file));
      found.check(lacking.length === 0, () => problemOf(reference, lacking));
    }
    return files;
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    found.check(false, () => `the files could not be checked: ${error.message}`);
    return 0;
  }
}

interface Lacking extends FileReference {
  lacking: string[];
}

async function findMissing(references: AsyncIterable<FileReference> | FileReference[], stored: StoredNames) {
  const missing: Lacking[] = [];
  let files = 0;
  let some: FileReference[] = [];
  const look = async () => {
    const lacking = await Promise.all(some.map((one) => stored.lacking(one.files)));
    for (const [i, one] of some.entries()) {
      files += one.files.length;
      if (lacking[i]!.length) missing.push({ ...one, lacking: lacking[i]! });
    }
    some = [];
  };
  for await (const reference of references) {
    if (some.push(reference) === BATCH) await look();
  }
  await look();
  return { files, missing };
}

function problemOf({ of, files, mend }: FileReference, [first, ...more]: string[]): string {
  const which = more.length
    ? `${more.length + 1} of its ${files.length} files are not in the storage, the first is ${first}`
    : `its file ${first} is not in the storage`;
  return `${of}: ${which}; restore the files from their backup, or ${mend}`;
}
