import type { Db } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Config } from "#server/config/config.ts";

/** What a command may use. There is no key and no round clock here: an operator cannot know or make a result. */
export type Operator = Pick<Deps, "clock" | "announce" | "random" | "storage" | "cleanHtml"> & {
  db: Db;
  config: Pick<Config, "dataDir" | "database" | "publicUrl">;
};

export interface CommandInput {
  /** By the name that stands in `usage`. */
  args: Record<string, string>;
  options: Record<string, string | undefined>;
}

/** What a command has to say: to people, and with `--json` to programs. */
export interface CommandOutput {
  text: string;
  json: unknown;
  /** The command did its work and the finding is bad: exit 1. */
  bad?: boolean;
}

interface Described {
  /** `NAME` is required, `[--reason T]` is an option that may be left out. */
  usage: string;
  does: string;
  /** What `--help` says beyond that. */
  more?(): string;
}

export interface Command extends Described {
  run(operator: Operator, input: CommandInput): Promise<CommandOutput>;
}

/** A command that must answer even when the configuration or the database is what is wrong. */
export interface Diagnosis extends Described {
  diagnose(env: Record<string, string | undefined>): Promise<CommandOutput>;
}

export type AnyCommand = Command | Diagnosis;

/** A no with the reason, exit 1. */
export class Refused extends Error {
  override name = "Refused";
}

/** Wrong use of a command, exit 2. */
export class Misused extends Error {
  override name = "Misused";
}
