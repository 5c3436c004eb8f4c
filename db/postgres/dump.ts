import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Dumps a snapshot of a PostgreSQL with pg_dump, as an archive for pg_restore. The outbox's rows are left out: they
 * concern the processes connected now, and carry this cluster's transaction numbers.
 */
export const dump = (url: string, file: string): Promise<void> =>
  runProgram("pg_dump", url, (address) => [
    "--format=custom",
    "--no-owner",
    "--exclude-table-data=outbox",
    `--file=${file}`,
    address,
  ]);

/** Runs a program of PostgreSQL. It gets the password by its environment: everybody sees the list of processes. */
export async function runProgram(name: string, url: string, wordsOf: (address: string) => string[]): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  const env = { ...process.env, ...(password && { PGPASSWORD: password }) };
  try {
    await run(name, wordsOf(address.href), { env });
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    throw new Error(code === "ENOENT" ? `${name} is not on the PATH` : (stderr?.trim() ?? String(error)), {
      cause: error,
    });
  }
}
