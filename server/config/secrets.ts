import { readFileSync } from "node:fs";
import type { ReadSecret } from "#server/app/deps.ts";

/** Secrets come from the environment or from files, so that they stand in no command line, setting or log. */
export function readSecrets(env: Record<string, string | undefined>): ReadSecret {
  return (name) => {
    const value = env[name] || undefined;
    const file = env[`${name}_FILE`] || undefined;
    if (value !== undefined && file !== undefined) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    if (file === undefined) return value;
    try {
      return readFileSync(file, "utf8").trim() || undefined;
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
    }
  };
}
