import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readSecretKeys, Unopenable } from "#db/sealed-file.ts";
import { Unwritable } from "#db/part-folder.ts";
import { Refused } from "#server/admin/command.ts";

/** The secret keys in the file of `--key`; none without it. */
export async function readKeyFile(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const path = resolve(file);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`${path} cannot be read: ${error.code}`);
  });
  return readSecretKeys(text, path);
}

/** It keeps its cause, for those who want to know which. */
const refusalOf = (cause: Error) => Object.assign(new Refused(cause.message), { cause });

/** Does what may fail for a reason that an operator understands. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Unopenable || error instanceof Unwritable ? refusalOf(error) : error;
  }
}
