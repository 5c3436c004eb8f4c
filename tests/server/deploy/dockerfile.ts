import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DOCKERFILE = fileURLToPath(new URL("../../../server/deploy/Dockerfile", import.meta.url));

export interface Instruction {
  word: string;
  text: string;
}

export interface Stage {
  name: string;
  /** An image, or the name of an earlier stage. */
  from: string;
  instructions: Instruction[];
}

/** The stages of a Dockerfile in their order. It parses only as much of the language as ours uses. */
export function readStages(text = readFileSync(DOCKERFILE, "utf8")): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, word = "", rest = ""] = /^([A-Z]+) (.+[^\\])$/.exec(line) ?? [];
    if (word === "") throw new Error(`not understood: ${line}`);
    const [from = "", name = "last"] = rest.split(" AS ");
    if (word === "FROM") stages.push({ name, from, instructions: [] });
    else stages.at(-1)!.instructions.push({ word, text: rest });
  }
  return stages;
}

/** The settings of a stage's container, including its base's. */
export function settingsOf(stages: Stage[], name: string) {
  const stage = stages.find((one) => one.name === name);
  const base: Instruction[] = stage ? settingsOf(stages, stage.from).instructions : [];
  const instructions = [...base, ...(stage?.instructions ?? [])];
  const last = (word: string) => instructions.findLast((one) => one.word === word)?.text;
  const listed = (text = "[]") => JSON.parse(text.slice(text.indexOf("["))) as string[];
  const env = instructions.filter(({ word }) => word === "ENV").flatMap(({ text }) => text.split(" "));
  return {
    instructions,
    folder: last("WORKDIR") ?? "/",
    user: last("USER") ?? "0:0",
    stopSignal: last("STOPSIGNAL"),
    env: Object.fromEntries(env.map((pair) => pair.split("=") as [string, string])),
    command: listed(last("CMD")),
    health: listed(last("HEALTHCHECK")),
  };
}
