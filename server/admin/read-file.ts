import { constants, readFileSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, join, normalize, sep } from "node:path";
import * as z from "zod";
import { Misused, Refused } from "./command.ts";

/** A file cannot be used. The message says why. */
export class BadFile extends Error {
  override name = "BadFile";
}

/** Reads a plain file of at most `most` bytes, and nothing of a larger one. Throws BadFile. */
export async function readPlainFile(path: string, most: number): Promise<Buffer> {
  // Non-blocking: a pipe may have nobody at its other end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new BadFile(error.code === "ENOENT" ? "there is no such file" : `it cannot be read (${error.code})`);
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new BadFile("it is not a regular file");
    if (found.size > most) throw new BadFile(`it is larger than ${most / 1_048_576} MiB`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Resolves a path that a file contains. It must stay within the folder, without links. Throws BadFile. */
export async function pathWithin(folder: string, name: string): Promise<string> {
  const steps = name.split(/[/\\]/);
  if (name === "" || name.includes("\0") || isAbsolute(name) || steps.includes("..")) {
    throw new BadFile("the path must stay inside the folder of the file");
  }
  const root = await realpath(folder);
  const wanted = join(root, normalize(name));
  const real = await realpath(wanted).catch(() => {
    throw new BadFile("there is no such file");
  });
  if (real !== wanted || !real.startsWith(root + sep)) throw new BadFile("links are not followed");
  return real;
}

/** Reads a JSON file of the operator. Throws Refused with each fault and its place when the schema does not match. */
export function readJsonFile<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Misused(`${file}: ${(error as Error).message}`);
  }
  const result = schema.safeParse(content);
  if (!result.success) throw new Refused(`${file}:\n${z.prettifyError(result.error)}`);
  return result.data;
}
