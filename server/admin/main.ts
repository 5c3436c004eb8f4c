import { chooseDialect } from "#db/dialect.ts";
import { readSecret } from "./read-secret.ts";
import { run } from "./run.ts";

// What the program makes is its user's alone.
process.umask(0o077);
// Not from the configuration: help and the doctor work even when that is broken.
chooseDialect(process.env.DATABASE_URL ?? "");
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  secret: readSecret,
});
