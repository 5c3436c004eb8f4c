import type { AnyCommand } from "./command.ts";

export function overview(commands: Record<string, AnyCommand>): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, does }]) => `  ${`${name} ${usage}`.padEnd(52)} ${does.split("\n")[0]}`,
  );
  return ["npm run admin -- COMMAND [--json] [--help]", "", ...lines].join("\n");
}

export function explain(name: string, { usage, does, more }: AnyCommand): string {
  return `${name} ${usage}\n\n  ${does}\n\n  --json  answer for programs\n  Exit 0: done. 1: refused, with the reason. 2: wrong use.${more ? `\n\n${more()}` : ""}`;
}
