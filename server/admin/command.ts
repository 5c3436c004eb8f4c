import type { Db } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Config } from "#server/config/config.ts";

/** Who gave a command. `id`: an operator's at the console; null for the shell. */
export interface Caller {
  id: number | null;
  who: string;
  /** The shell's machine, or the address of the operator's browser. */
  host: string;
}

/**
 * What a command may use. It has no round clock, and only the audit derives results from the key, to compare: no command
 * tells or makes one.
 */
export type Operator = Pick<Deps, "clock" | "announce" | "random" | "storage" | "cleanHtml"> & {
  db: Db;
  config: Pick<Config, "backupRecipients" | "dataDir" | "database" | "publicUrl" | "masterKey">;
};

export interface CommandInput {
  /** By the name in `usage`. */
  args: Record<string, string>;
  options: Record<string, string | undefined>;
  /** The secret that it asked for. */
  secret?: string;
  /** Without one, the shell. */
  caller?: Caller;
}

/** A command's output: for people, and with `--json` for programs. */
export interface CommandOutput {
  text: string;
  json: unknown;
  /** The command worked, and what it found is bad: exit 1. */
  bad?: boolean;
}

interface Described {
  /** `NAME` is required, `[--reason T]` is optional. */
  usage: string;
  does: string;
  /** More text for `--help`. */
  more?(): string;
  /** It writes nothing, always or with this input: then nothing is noted of it. */
  reads?: boolean | ((input: CommandInput) => boolean);
  /** The least and most of each number in `usage`, by its name there. */
  bounds?: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** The word of `usage` that names a file which the command makes. */
  makes?: string;
  /** The words of `usage` that take a text for all languages, or one for each. */
  local?: readonly string[];
}

export interface Command extends Described {
  /** The secret that it asks for, if any: typed unseen, or from standard input. Others can read a command's words. */
  asks?(input: CommandInput): string | null;
  /** The option of the shell by which that secret may also stand among the words. */
  secretOption?: string;
  /** Takes a secret out of the shell's words where it stands in another's place, so that it is noted nowhere. */
  takeSecret?(input: CommandInput): CommandInput;
  run(operator: Operator, input: CommandInput): Promise<CommandOutput>;
}

/** A command that works even when the configuration or the database is broken. */
export interface Diagnosis extends Described {
  diagnose(env: Record<string, string | undefined>): Promise<CommandOutput>;
}

/** A command of the shell alone: it goes on until the program is told to end, or opens no site but its own. */
export interface Service extends Described {
  serve(given: Serving): Promise<CommandOutput>;
}

export interface Serving {
  env: Record<string, string | undefined>;
  input: CommandInput;
  /** All there are, loaded when they are used. */
  commands: Record<string, () => Promise<AnyCommand>>;
  out(text: string): void;
  /** What people read of an error. */
  reasonOf(error: Error): string;
}

export type AnyCommand = Command | Diagnosis | Service;

/** The command is refused, with the reason: exit 1. */
export class Refused extends Error {
  override name = "Refused";
}

/** The command was used wrongly: exit 2. */
export class Misused extends Error {
  override name = "Misused";
}
