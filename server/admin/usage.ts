import { parseArgs } from "node:util";
import { type AnyCommand, type Command, type CommandInput, Misused } from "./command.ts";

interface Invocation extends CommandInput {
  json: boolean;
  help: boolean;
}

/** Parses the words after a command by its usage line: `NAME AMOUNT --reason T [--uses N]`. */
export function parseCommand(name: string, { usage }: Pick<Command, "usage">, words: string[]): Invocation {
  const positions = usage.replace(/\[?--\w+ \w+\]?/g, "").match(/\S+/g) ?? [];
  const flags = [...usage.matchAll(/(\[)?--(\w+) \w+/g)].map(([, optional, flag]) => ({ flag: flag!, optional }));
  const options = Object.fromEntries(flags.map(({ flag }) => [flag, { type: "string" }])) as Record<
    string,
    { type: "string" }
  >;
  const { values, positionals } = parse(name, words, {
    ...options,
    json: { type: "boolean" },
    help: { type: "boolean" },
  });
  const common = { options: values as Record<string, string>, json: values.json === true, help: values.help === true };
  const args = Object.fromEntries(positions.map((position, i) => [position, positionals[i] ?? ""]));
  if (common.help) return { ...common, args };
  const missing = flags.find(({ flag, optional }) => !optional && values[flag] === undefined);
  if (positionals.length !== positions.length || missing) throw new Misused(`usage: ${name} ${usage}`);
  return { ...common, args };
}

function parse(name: string, args: string[], options: Record<string, { type: "string" | "boolean" }>) {
  if (args.some((word) => word.startsWith("--password")))
    throw new Misused(`${name}: leave --password out: others can read it. Type it when asked, or end with < FILE`);
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Misused(`${name}: ${(error as Error).message}`);
  }
}

export function overview(commands: Record<string, AnyCommand>): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, does }]) => `  ${`${name} ${usage}`.padEnd(52)} ${does.split("\n")[0]}`,
  );
  return ["npm run admin -- COMMAND [--json] [--help]", "", ...lines].join("\n");
}

export function explain(name: string, { usage, does, more }: AnyCommand): string {
  return `${name} ${usage}\n\n  ${does}\n\n  --json  output for programs\n  Exit 0: done. 1: refused, with the reason. 2: wrong usage.${more ? `\n\n${more()}` : ""}`;
}
