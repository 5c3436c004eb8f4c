import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { onlyReads, runCommand, runNoted } from "#server/admin/acts.ts";
import {
  Misused,
  Refused,
  type AnyCommand,
  type Caller,
  type Command,
  type CommandInput,
  type CommandOutput,
  type Operator,
  type Serving,
} from "#server/admin/command.ts";
import { labelOf } from "#server/admin/labels.ts";
import { GRANTS, mayRun } from "#server/admin/roles.ts";
import { fieldsOf } from "#server/admin/usage.ts";
import type { Answer, Field, Given, Me, Offered } from "#shared/console.ts";
import type { Files } from "./files.ts";
import { askPasskey, takeProof, type Place } from "./passkeys.ts";
import type { Challenges, Person } from "./sessions.ts";

export interface Console {
  operator: Operator;
  serving: Pick<Serving, "commands" | "env" | "reasonOf">;
  challenges: Challenges;
  files: Files;
}

/** Who gives a command, and from where. */
export interface Giver {
  person: Person;
  /** Of the session. */
  hash: string;
  place: Place;
}

/** The commands that an operator may give: here, or in the shell alone, which starts services. */
export async function offered(
  { serving: { commands } }: Console,
  { roles }: Person,
): Promise<Pick<Me, "commands" | "ofShell">> {
  const names = Object.keys(commands).filter((name) => mayRun(roles, name));
  const loaded = await Promise.all(names.map(async (name) => ({ name, command: await commands[name]!() })));
  const isOfShell = ({ command }: (typeof loaded)[number]) => "serve" in command;
  return {
    commands: loaded.filter((one) => !isOfShell(one)).map(({ name, command }) => offer(name, command)),
    ofShell: loaded
      .filter(isOfShell)
      .map(({ name, command: { usage, does, more } }) => ({ name, usage, does, more: more?.() ?? "" })),
  };
}

const offer = (name: string, command: AnyCommand): Offered => ({
  name,
  does: command.does,
  more: command.more?.() ?? "",
  fields: fieldsOf(command).map((field) => ({ ...field, label: labelOf(name, field.name) })),
  hurts: GRANTS[name]!.hurts ?? false,
  reads: "diagnose" in command || command.reads === true,
});

/** Gives a command as this operator: with the same rules as at the shell, and what their roles allow. */
export async function give(here: Console, giver: Giver, given: Given): Promise<Answer> {
  const { commands, reasonOf } = here.serving;
  const { person, place } = giver;
  const load = Object.hasOwn(commands, given.name) ? commands[given.name] : undefined;
  try {
    if (!load) throw new Misused(`there is no command ${given.name}`);
    const caller: Caller = { id: person.id, who: person.name, host: place.address };
    const command = await load();
    if (!mayRun(person.roles, given.name) || "serve" in command) return await refuse(here, caller, given);
    return await giveGranted(here, giver, caller, { command, given });
  } catch (error) {
    return { refused: reasonOf(error as Error) };
  }
}

/** What was tried is noted too. */
const refuse = (here: Console, caller: Caller, given: Given): Promise<never> =>
  noteRefused(here, caller, given, new Refused(`none of your roles may give ${given.name}`));

function noteRefused(here: Console, caller: Caller, { name, args, options }: Given, why: unknown): Promise<never> {
  const input = { args: here.files.named(args), options: here.files.named(options) };
  return runNoted(here.operator, { name, input, caller }, () => {
    throw why;
  });
}

async function giveGranted(
  here: Console,
  giver: Giver,
  caller: Caller,
  { command, given }: { command: Exclude<AnyCommand, { serve: unknown }>; given: Given },
): Promise<Answer> {
  const { operator, serving } = here;
  if ("diagnose" in command) return { done: await command.diagnose(serving.env), files: [] };
  const { name, secret } = given;
  const { input, folders, used } = readInput(here, giver, command, given);
  const asked = command.asks?.(input) ?? null;
  if (asked !== null && !secret) return { asks: asked };
  if (GRANTS[name]!.hurts && !onlyReads(command, input)) {
    const purpose = purposeOf(giver, given);
    const asking = { operator, challenges: here.challenges };
    if (given.proof === undefined) return { prove: askPasskey(asking, purpose) };
    const taken = { json: given.proof, purpose, place: giver.place, operatorId: giver.person.id };
    await takeProof(asking, taken).catch((error: unknown) => noteRefused(here, caller, given, error));
  }
  const full = { ...input, ...(asked !== null && secret !== undefined && { secret }), caller };
  // A file is noted by its name: where it lay meanwhile is nobody's concern.
  const noted = { args: here.files.named(input.args), options: here.files.named(input.options) };
  return runInFolders(here, giver, folders, async () => {
    const done = await runCommand(operator, name, command, full, noted);
    for (const id of used) await here.files.drop(id);
    return done;
  });
}

/** Makes the folders that a command writes into, and hands over what it left there. One that failed leaves nothing. */
async function runInFolders(
  { files }: Console,
  { hash }: Giver,
  folders: readonly string[],
  run: () => Promise<CommandOutput>,
): Promise<Answer> {
  try {
    for (const folder of folders) await files.make(hash, folder);
    const done = await run();
    const made = await Promise.all(folders.map((folder) => files.made(hash, folder)));
    return { done, files: made.flat() };
  } catch (error) {
    await Promise.all(folders.map((folder) => files.remove(folder)));
    throw error;
  }
}

/** A proof is good for these words alone. */
function purposeOf({ hash }: Giver, { name, args, options, secret = "" }: Given): string {
  const sorted = (part: Given["args"]) =>
    Object.keys(part)
      .sort()
      .map((key) => [key, part[key]]);
  const words = JSON.stringify([name, sorted(args), sorted(options), secret]);
  return `give ${hash} ${createHash("sha256").update(words).digest("hex")}`;
}

/**
 * Reads the form as a command's words. No path comes from the page: only files that it sent, and folders of ours, which
 * are not made yet.
 */
function readInput(here: Console, { hash }: Giver, command: Command, { args, options }: Given) {
  const fields = fieldsOf(command);
  const input: CommandInput = { args: {}, options: {} };
  const [folders, used]: [string[], string[]] = [[], []];
  const known = new Set(fields.map(({ name, isOption }) => `${isOption} ${name}`));
  const sent = [...Object.keys(args).map((key) => `false ${key}`), ...Object.keys(options).map((key) => `true ${key}`)];
  if (!sent.every((key) => known.has(key))) throw new Misused("the form has a field that the command has not");
  const place = (): string => {
    const folder = here.files.place();
    folders.push(folder);
    return folder;
  };
  const fileOf = (id: string): string => {
    const path = here.files.path(hash, id);
    used.push(id);
    return path;
  };
  for (const field of fields) {
    const word = (field.isOption ? options : args)[field.name];
    if (word === undefined && field.isRequired) throw new Misused(`${field.name} is missing`);
    if (word === undefined) continue;
    const value = readWord(field, word, { place, fileOf });
    if (field.isOption) input.options[field.name] = value;
    else input.args[field.name] = value;
  }
  return { input, folders, used };
}

interface Places {
  place(): string;
  fileOf(id: string): string;
}

function readWord({ kind, name, least, most }: Field, word: string, { place, fileOf }: Places): string {
  if (kind === "file") return fileOf(word);
  if (kind === "folder") return place();
  // The name of what it makes is the operator's, the folder ours.
  if (kind === "made") return join(place(), basename(word) || "made");
  if (kind === "captions") {
    const parts = word.split(",").map((part) => /^([\w-]+)=(.+)$/.exec(part));
    if (!parts.every((part) => part !== null)) throw new Misused(`${name} is CODE=FILE, several joined by commas`);
    return parts.map(([, code, id]) => `${code}=${fileOf(id!)}`).join(",");
  }
  if (kind === "number" && !(/^\d{1,10}$/.test(word) && Number(word) >= least! && Number(word) <= most!))
    throw new Misused(`${name} must be a whole number from ${least} to ${most}`);
  return word;
}
