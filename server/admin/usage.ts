import { parseArgs } from "node:util";
import type { Field } from "#shared/console.ts";
import { MAX_UNITS } from "#shared/money.ts";
import { type AnyCommand, type Command, type CommandInput, Misused } from "./command.ts";

interface Invocation extends CommandInput {
  json: boolean;
  help: boolean;
}

/** What each word stands for. One in small letters stands for itself. */
const WORDS: Record<Exclude<Field["kind"], "made" | "choice" | "local">, string> = {
  line: "NAME ROLES ID CODE KEY TRANSFER EXPECT L K H",
  text: "T VALUE CHAPTERS",
  number: "AMOUNT N S",
  file: "FILE F FILE.json",
  captions: "FILES",
  folder: "FOLDER",
};
const KINDS = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.split(" ").map((word) => [word, kind as Field["kind"]] as const),
  ),
);

/** The fields of a command's form, in the order of its usage line. Throws for a word that has no kind. */
export function fieldsOf({
  usage,
  bounds = {},
  makes,
  local = [],
}: Pick<Command, "usage" | "bounds" | "makes" | "local">): Field[] {
  const { positions, flags } = readUsage(usage);
  const words = [
    ...positions.map(({ word, optional }) => ({ name: word, word, isOption: false, isRequired: !optional })),
    ...flags.map(({ flag, word, optional }) => ({ name: flag, word, isOption: true, isRequired: !optional })),
  ];
  return words.map(({ word, ...field }): Field => {
    if (local.includes(field.name)) return { ...field, kind: "local" };
    if (word === makes) return { ...field, kind: "made" };
    if (/^[a-z]+$/.test(word)) return { ...field, kind: "choice", value: word };
    const kind = KINDS.get(word);
    if (!kind) throw new Error(`${word} of ${usage} has no kind`);
    if (kind !== "number") return { ...field, kind };
    const [least, most] = bounds[field.name] ?? [1, MAX_UNITS];
    return { ...field, kind, least, most };
  });
}

function readUsage(usage: string) {
  const words: string[] = usage.replace(/\[?--\w+ \w+\]?/g, "").match(/\S+/g) ?? [];
  const positions = words.map((word) => ({ word: word.replace(/[[\]]/g, ""), optional: word.startsWith("[") }));
  const flags = [...usage.matchAll(/(\[)?--(\w+) (\w+)/g)].map(([, optional, flag, word]) => ({
    flag: flag!,
    word: word!,
    optional: optional !== undefined,
  }));
  return { positions, flags };
}

/** Parses the words after a command by its usage line: `NAME AMOUNT --reason T [--uses N]`, or `[CODE] [--uses N]`. */
export function parseCommand(
  name: string,
  { usage, secretOption = "" }: Pick<Command, "usage" | "secretOption">,
  words: string[],
): Invocation {
  const { positions, flags } = readUsage(usage);
  const options = Object.fromEntries(flags.map(({ flag }) => [flag, { type: "string" }])) as Record<
    string,
    { type: "string" }
  >;
  const { values, positionals } = parse(name, words, {
    ...options,
    ...(secretOption && { [secretOption]: { type: "string" } }),
    json: { type: "boolean" },
    help: { type: "boolean" },
  });
  const { json, help, ...given } = values;
  const { [secretOption]: secret, ...others } = given as Record<string, string>;
  const told = { options: others, ...(secret !== undefined && { secret }) };
  const common = { ...told, json: json === true, help: help === true };
  const args = Object.fromEntries(positions.map(({ word }, i) => [word, positionals[i] ?? ""]));
  if (common.help) return { ...common, args };
  const missing = flags.find(({ flag, optional }) => !optional && values[flag] === undefined);
  const least = positions.filter(({ optional }) => !optional).length;
  if (positionals.length < least || positionals.length > positions.length || missing)
    throw new Misused(`usage: ${name} ${usage}`);
  return { ...common, args };
}

function parse(name: string, args: string[], options: Record<string, { type: "string" | "boolean" }>) {
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
