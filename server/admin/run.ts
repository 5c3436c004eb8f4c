import { readConfig } from "#server/config/config.ts";
import { loadTexts } from "#server/app/texts.ts";
import { Refusal } from "#shared/refusal.ts";
import { Misused, Refused, type AnyCommand, type Command, type CommandInput, type CommandOutput } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { explain, overview, parseCommand } from "./usage.ts";

/** Where a command runs, and where its output goes. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Asks for a secret. */
  secret(what: string): Promise<string>;
}

/** Runs a command as entered. Returns the exit code: 0 done, 1 refused with the reason, 2 wrong use. */
export async function run([name = "--help", ...words]: string[], terminal: Terminal): Promise<number> {
  const wantsJson = words.includes("--json");
  try {
    if (name === "--help" || name === "help")
      return print(terminal, { text: overview(await loadAll()), json: Object.keys(COMMANDS) }, false);
    const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]!() : undefined;
    if (!command) throw new Misused(`there is no command ${name}; see npm run admin -- --help`);
    const invocation = parseCommand(name, command, words);
    if (invocation.help) {
      const told = { text: explain(name, command), json: { name, ...command, more: command.more?.() } };
      return print(terminal, told, invocation.json);
    }
    return print(terminal, await outputOf(terminal, name, command, invocation), invocation.json);
  } catch (error) {
    return await printError(terminal, error as Error, wantsJson);
  }
}

async function loadAll(): Promise<Record<string, AnyCommand>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

function outputOf(terminal: Terminal, name: string, command: AnyCommand, input: CommandInput): Promise<CommandOutput> {
  const { env, out } = terminal;
  if ("diagnose" in command) return command.diagnose(env);
  if ("serve" in command) return command.serve({ env, out, input, commands: COMMANDS, reasonOf });
  return runAsked(terminal, name, command, input);
}

const OPEN_SECRET =
  "Others on this machine may have read the secret among the words. Leave it out: then type it, or end with < FILE\n";

/** Asks for the command's secret before the database is opened, unless it stands among the words. */
async function runAsked(terminal: Terminal, name: string, command: Command, given: CommandInput) {
  const input = command.takeSecret?.(given) ?? given;
  const isGiven = input.secret !== undefined;
  if (isGiven) terminal.err(OPEN_SECRET);
  const asked = isGiven ? null : (command.asks?.(input) ?? null);
  const full = asked === null ? input : { ...input, secret: await terminal.secret(asked) };
  // Loaded now, as the schema is for one engine.
  const [{ openOperator }, { runCommand, shell }] = await Promise.all([import("./operator.ts"), import("./acts.ts")]);
  const { operator, close } = await openOperator(readConfig(terminal.env, []));
  try {
    return await runCommand(operator, name, command, { ...full, caller: shell(terminal.env) });
  } finally {
    await close();
  }
}

function print({ out }: Terminal, { text, json, bad }: CommandOutput, asJson: boolean): number {
  // A service that wrote lines of its own has nothing to add.
  if (asJson || text !== "") out(`${forTerminal(asJson ? JSON.stringify(json) : text)}\n`);
  return bad ? 1 : 0;
}

async function printError({ out, err }: Terminal, error: Error, asJson: boolean): Promise<number> {
  const reason = reasonOf(error);
  if (asJson) out(`${forTerminal(JSON.stringify({ ok: false, reason }))}\n`);
  else err(`${forTerminal(reason)}\n`);
  return error instanceof Misused ? 2 : 1;
}

/** What people read of an error. */
export function reasonOf(error: Error): string {
  if (error instanceof Refusal) return loadTexts()("en_us", `refusal.${error.reason}`);
  const isExpected = error instanceof Refused || error instanceof Misused;
  return isExpected ? error.message : `failed: ${error.message}`;
}

/** Control characters but the line's end, marks of direction and what is invisible. */
const UNSAFE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * What is printed cannot move a terminal's cursor, nor show itself in another order: members write names and comments.
 * The escape is JSON's, so programs read what was there.
 */
function forTerminal(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(UNSAFE, (character) => character.split("").map(escaped).join(""));
}
