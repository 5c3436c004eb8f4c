import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Dumps a snapshot of a PostgreSQL with pg_dump, as an archive for pg_restore. The outbox's rows are left out: they
 * concern the processes connected now, and carry this cluster's transaction numbers.
 */
export async function dump(url: string, file: string): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  // The list of processes shows the command line to everybody.
  address.password = "";
  const options = ["--format=custom", "--no-owner", "--exclude-table-data=outbox", `--file=${file}`];
  const env = { ...process.env, ...(password && { PGPASSWORD: password }) };
  try {
    await run("pg_dump", [...options, address.href], { env });
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    throw new Error(code === "ENOENT" ? "pg_dump is not on the PATH" : (stderr?.trim() ?? String(error)), {
      cause: error,
    });
  }
}
