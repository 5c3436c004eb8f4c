import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { addressOf, type Address } from "#db/move/address.ts";
import { moveSite } from "#db/move/move.ts";
import { Unmovable } from "#db/move/unmovable.ts";
import { auditCopy } from "./move/audit-copy.ts";
import { Progress } from "./programs/progress.ts";

/*
 * Moves a whole site's data from one database to another, of either engine.
 * Exit 0: moved and checked. 1: not, with the reason. 2: wrong usage.
 */
const USAGE = `usage: npm run move -- FROM TO

Copies a site's whole database from FROM to TO, each the path of a SQLite file (data/trio.db) or the address
of a PostgreSQL (postgres://user:password@host/database). Stop every server first.

FROM is only read. TO is a new file, or an empty PostgreSQL database. The copy can be served only after row counts, sums
and the audit match; after an interruption, run the same command again to start over.
The master key, pictures and videos are not in the database and are not moved.`;

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const args = parse(words);
  if (args === "help") return print(USAGE, 0);
  if (typeof args === "string") return print(`${args}\n\n${USAGE}`, 2);
  const progress = new Progress();
  try {
    const { tables, rows } = await moveSite(args.from, args.to, {
      epoch: randomBytes(8).toString("hex"),
      progress: (what, done) => progress.show(what, done),
      audit: auditCopy,
    });
    progress.end();
    return print(report(args, tables, rows), 0);
  } catch (error) {
    progress.end();
    const { message } = error as Error;
    return print(error instanceof Unmovable ? message : `failed: ${message}`, 1);
  }
}

interface Arguments {
  from: Address;
  to: Address;
}

/** Returns `help`, an error text, or the two databases. */
function parse(words: string[]): Arguments | string {
  let parsed;
  try {
    parsed = parseArgs({ args: words, allowPositionals: true, options: { help: { type: "boolean" } } });
  } catch (error) {
    return (error as Error).message;
  }
  const { values, positionals } = parsed;
  if (values.help) return "help";
  if (positionals.length !== 2) return "Give FROM and TO, and nothing else.";
  const [from, to] = positionals.map((text) => addressOf(text));
  if (!from || !to)
    return `${positionals[from ? 1 : 0]} is neither a file nor an address such as postgres://HOST/DATABASE.`;
  return from.name === to.name ? "FROM and TO are the same." : { from, to };
}

function report({ from, to }: Arguments, tables: number, rows: number): string {
  return `Moved ${rows.toLocaleString("en")} rows of ${tables} tables from ${from.name}
to ${to.name}. Counts and sums are equal, and the audit found nothing wrong.

Copy by hand:
- the master key: ${masterKeyOf(from)}. Without it no server starts on the copy.
- pictures and videos, unless both sites use the same folder or bucket: they are in DATA_DIR/files or the bucket.
Then start the server ${startedWith(to)}. ${from.name} was not changed; do not serve it again.`;
}

function masterKeyOf(from: Address): string {
  const file = from.kind === "sqlite" ? join(dirname(from.file), "master.key") : "";
  return existsSync(file) ? `set MASTER_KEY, or copy ${file} into DATA_DIR` : "MASTER_KEY, or DATA_DIR/master.key";
}

function startedWith(to: Address): string {
  if (to.kind === "postgres") return "with DATABASE_URL set to the new address";
  return `without DATABASE_URL and with DATA_DIR=${dirname(to.file)}, where the file must be called trio.db`;
}

function print(text: string, exit: number): number {
  (exit ? process.stderr : process.stdout).write(`${text}\n`);
  return exit;
}
