import { chooseDialect } from "#db/dialect.ts";
import { readConfig } from "#server/config/config.ts";
import { loadTexts } from "#server/app/texts.ts";
import { Refusal } from "#shared/refusal.ts";
import { Misused, Refused, type AnyCommand, type Operator, type CommandOutput } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { explain, overview } from "./usage.ts";
import { parseCommand } from "./usage.ts";

// Not from the configuration: help and the doctor work even when that is broken.
chooseDialect(process.env.DATABASE_URL ?? "");
process.exitCode = await main(process.argv.slice(2));

/** Returns the exit code: 0 done, 1 refused with the reason, 2 wrong use. */
async function main([name = "--help", ...words]: string[]): Promise<number> {
  const wantsJson = words.includes("--json");
  try {
    if (name === "--help" || name === "help")
      return print({ text: overview(await loadAll()), json: Object.keys(COMMANDS) }, false);
    const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]!() : undefined;
    if (!command) throw new Misused(`there is no command ${name}; see npm run admin -- --help`);
    const invocation = parseCommand(name, command, words);
    if (invocation.help)
      return print(
        { text: explain(name, command), json: { name, ...command, more: command.more?.() } },
        invocation.json,
      );
    const output =
      "diagnose" in command
        ? await command.diagnose(process.env)
        : await withOperator((operator) => command.run(operator, invocation));
    return print(output, invocation.json);
  } catch (error) {
    return await printError(error as Error, wantsJson);
  }
}

async function loadAll(): Promise<Record<string, AnyCommand>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

async function withOperator(work: (operator: Operator) => Promise<CommandOutput>): Promise<CommandOutput> {
  const { openOperator } = await import("./operator.ts");
  const { operator, close } = await openOperator(readConfig(process.env, []));
  try {
    return await work(operator);
  } finally {
    await close();
  }
}

function print({ text, json, bad }: CommandOutput, asJson: boolean): number {
  process.stdout.write(`${asJson ? JSON.stringify(json) : text}\n`);
  return bad ? 1 : 0;
}

async function printError(error: Error, asJson: boolean): Promise<number> {
  const reason = await reasonOf(error);
  if (asJson) process.stdout.write(`${JSON.stringify({ ok: false, reason })}\n`);
  else process.stderr.write(`${reason}\n`);
  return error instanceof Misused ? 2 : 1;
}

async function reasonOf(error: Error): Promise<string> {
  if (error instanceof Refusal) return (await loadTexts())("en_us", `refusal.${error.reason}`);
  const isExpected = error instanceof Refused || error instanceof Misused;
  return isExpected ? error.message : `failed: ${error.message}`;
}
