import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Misused } from "#server/admin/command.ts";
import type { Command } from "#server/admin/command.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { explain } from "#server/admin/usage.ts";
import { parseCommand } from "#server/admin/usage.ts";
import type { Place } from "../../support/databases.ts";
import { world, type World } from "../../support/world.ts";
import { everything, operateApart } from "./operate.ts";

let w: World;
let nowhere: string;
let nothing: Place;

beforeAll(async () => {
  w = await world();
  await w.player("mia_1", { balance: 10 });
  nowhere = join(w.folder, "nowhere");
  nothing = { env: { DATA_DIR: nowhere } };
});
afterAll(() => w.close());

const names = Object.keys(COMMANDS);
const loaded = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const));
const commands = Object.fromEntries(loaded);
/** A word for each position, and a value for each required option. */
const wordsOf = (usage: string) => usage.replace(/\[.*?\]/g, "").match(/\S+/g) ?? [];

describe.concurrent("asking for help", () => {
  it("lists every command, with or without --help", async () => {
    const [asked, lost] = await Promise.all([operateApart(nothing, "--help"), operateApart(nothing)]);
    expect(asked.exit).toBe(0);
    expect(lost).toEqual(asked);
    for (const name of names) expect(asked.out).toContain(`\n  ${name} `);
  });

  it("explains a command without running it, whatever else is given", async () => {
    const { exit, out, err } = await operateApart(nothing, "member:add", "olaf_7", "--help");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("member:add NAME\n");
    expect(existsSync(nowhere)).toBe(false);
  });

  it.each(names)("explains what %s does and how it exits", (name) => {
    const command = commands[name]!;
    const { usage, does } = command;
    expect(parseCommand(name, command, ["--help"]).help).toBe(true);
    const text = explain(name, command);
    for (const part of [usage, does, "--json", "0", "1", "2"]) expect(text).toContain(part);
  });
});

describe.concurrent("using a command wrongly", () => {
  it.each([
    ["a command that there is none of", ["member:enrich", "mia_1"], "there is no command member:enrich"],
    ["a name of every object", ["constructor"], "there is no command constructor"],
    ["too few words", ["member:credit", "mia_1", "--reason", "x"], "usage: member:credit NAME AMOUNT --reason T"],
    ["an option that there is none of", ["audit", "--repair"], "--repair"],
  ])("exits with 2 and names the mistake: %s", async (_, words, message) => {
    const { exit, out, err } = await operateApart(nothing, ...words);
    expect([exit, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("is reported to programs as JSON", async () => {
    const { exit, out } = await operateApart(nothing, "member:lock", "--json");
    expect([exit, JSON.parse(out)]).toEqual([2, { ok: false, reason: "usage: member:lock NAME [--reason T]" }]);
  });

  it.each(names)("%s refuses a surplus word and an unknown option", (name) => {
    const command = commands[name]!;
    const words = wordsOf(command.usage);
    const optional = command.usage.match(/\[[A-Z]+\]/g) ?? [];
    expect(parseCommand(name, command, words)).toMatchObject({ json: false, help: false });
    expect(() => parseCommand(name, command, [...words, ...optional, "more"])).toThrow(Misused);
    expect(() => parseCommand(name, command, [...words, "--wrong"])).toThrow(Misused);
  });

  it.each(names.filter((name) => wordsOf(commands[name]!.usage).length > 0))("%s refuses a missing word", (name) => {
    const command = commands[name]!;
    expect(() => parseCommand(name, command, wordsOf(command.usage).slice(0, -1))).toThrow(Misused);
  });

  it.each([
    ["member:add", "abc"],
    ["member:add", "olaf_7"],
    ["member:activate", "mia_1", "--days", "0"],
    ["member:kick", "mia_1", "--reason", " "],
    ["member:credit", "mia_1", "1.5", "--reason", "x"],
    ["member:credit", "mia_1", "2000000001", "--reason", "x"],
    ["member:credit", "mia_1", "1", "--reason", ""],
    ["member:reverse", "12", "--reason", "x"],
    ["recharge:credit", "mia_1", "01", "--reason", "x"],
    ["withdraw:approve", "12"],
    ["withdraw:pay", "wdr_x"],
    ["withdraw:reject", "wdr_1", "--reason", " "],
    ["invite:add", "two words"],
    ["invite:add", "OPEN-26", "--uses", "0"],
    ["notice:add", "--name", "Open", "--text", ""],
    ["notice:add", "--name", '{"tlh": "x"}', "--text", "Until late"],
    ["lottery:add", "k3-5s", "--name", "Five seconds", "--period", "5"],
    ["lottery:add", "k3-1m", "--name", "A minute", "--period", "60", "--close", "1"],
    ["lottery:add", "k3-1m", "--name", "A minute", "--period", "60", "--kind", "no-such"],
  ])("%s %s %s %s is refused, and changes nothing", async (name: string, ...words: string[]) => {
    const before = await everything(w);
    const command = commands[name] as Command;
    const work = command.run({ ...w.deps, config: w.config }, parseCommand(name, command, words));
    await expect(work).rejects.toThrow(Misused);
    expect(await everything(w)).toEqual(before);
  });
});
