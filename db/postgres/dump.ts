import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * A whole PostgreSQL at one moment, as an archive for pg_restore, written by pg_dump. The outbox's rows are left out:
 * they concern whoever is connected now, and carry numbers of this cluster's transactions.
 */
export async function dump(url: string, file: string): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  // Whoever lists the processes would read it.
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
