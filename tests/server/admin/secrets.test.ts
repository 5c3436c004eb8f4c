import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members, sessions, settings } from "#db/schema/index.ts";
import type { Command } from "#server/admin/command.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { parseCommand } from "#server/admin/usage.ts";
import { SETTINGS } from "#server/domains/site/settings.ts";
import { spawnCommand } from "../../support/run-command.ts";
import { world, type World } from "../../support/world.ts";
import { operate, operateWith } from "./operate.ts";

const SECRET = "a-secret-of-a-partner";

let w: World;

beforeEach(async () => {
  w = await world();
  SETTINGS.test_secret = { meaning: "A secret", fallback: "", secret: true, parse: (text) => text };
});
afterEach(async () => {
  delete SETTINGS.test_secret;
  await w.close();
});

/** Everything that a command prints, to people and to programs. */
async function say(name: string, ...words: string[]): Promise<string> {
  const command = (await COMMANDS[name]!()) as Command;
  const { text, json } = await command.run({ ...w.deps, config: w.config }, parseCommand(name, command, words));
  return `${text}\n${JSON.stringify(json)}`;
}

describe("a secret setting", () => {
  it("is masked where it is listed and where it is set", async () => {
    expect(await say("setting:list")).not.toContain("********");
    expect(await say("setting:set", "test_secret", SECRET)).not.toContain(SECRET);
    const answer = await say("setting:list");
    expect(answer).toContain("********");
    expect(answer).not.toContain(SECRET);
  });
});

describe("the commands' output", () => {
  it("contains no password, token, hash or key", async () => {
    const { token } = await w.player("mia_1");
    const answer = [(await operateWith("eight chars", w, "member:add", "olaf_7")).out];
    const { data } = await w.call("/member/doLogin", { username: "olaf_7", password: "eight chars" });
    answer.push(
      await say("member:credit", "olaf_7", "50", "--reason", "A gift"),
      await say("recharge:credit", "olaf_7", "50", "--reason", "By bank"),
      await say("invite:add", "OPEN-26"),
      await say("notice:add", "--name", "Open", "--text", "Until late"),
      await say("lottery:add", "k3-1m", "--name", "A minute", "--period", "60"),
    );
    await w.live(1_000);
    await w.site.housekeeping.seal();
    for (const name of ["member:list", "setting:list", "recharge:list", "audit"]) answer.push(await say(name));
    for (const name of ["member:show", "member:kick"]) answer.push(await say(name, "olaf_7"));
    for (const name of ["member:lock", "member:unlock"]) answer.push(await say(name, "olaf_7", "--reason", "A test"));
    answer.push(await say("lottery:pause", "k3-1m"), await say("lottery:resume", "k3-1m"));
    answer.push(await say("backup", join(w.folder, "copy.db")));

    const all = answer.join("\n");
    const olaf = (await w.deps.db.read.select().from(members)).find(({ username }) => username === "olaf_7");
    const hashes = (await w.deps.db.read.select().from(sessions)).map(({ tokenHash }) => tokenHash);
    const key = readFileSync(join(w.folder, "master.key"), "utf8").trim();
    const secrets = [token, data.token, "eight chars", olaf!.passwordHash!, ...hashes, key];
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
    expect(all).not.toMatch(/[0-9a-f]{64}|\$argon2/i);
  });
});

describe("a secret", () => {
  it("may be a word of a command: it is noted nowhere, and a better way is told", async () => {
    const said = [
      await operate(w, "member:add", "olaf_7", "--password", "eight chars"),
      await operate(w, "member:add", "olaf_8", "--password=eight chars"),
      await operate(w, "setting:set", "test_secret", SECRET),
    ];
    for (const { exit, out, err } of said) {
      expect(exit).toBe(0);
      expect(err).toContain("< FILE");
      expect(out + err).not.toMatch(/eight chars|a-secret/);
    }
    for (const username of ["olaf_7", "olaf_8"])
      expect((await w.call("/member/doLogin", { username, password: "eight chars" })).code).toBe(200);
    const [row] = await w.deps.db.read.select().from(settings).where(eq(settings.name, "test_secret"));
    expect(row!.value).toBe(SECRET);
    const { out } = await operate(w, "operators:log", "--json");
    expect(JSON.parse(out)).toMatchObject([{ words: "test_secret -" }, { words: "olaf_8" }, { words: "olaf_7" }]);
    expect(w.logged.join("")).not.toMatch(/eight chars|a-secret/);
  });

  it("is a word of no command that asks for none, and is not repeated", async () => {
    const { exit, out, err } = await operate(w, "member:kick", "olaf_7", "--password=eight chars");
    expect([exit, out]).toEqual([2, ""]);
    expect(err).not.toContain("eight chars");
  });

  it("comes from standard input, and is noted nowhere", async () => {
    expect(await operateWith(SECRET, w, "setting:set", "test_secret", "-")).toMatchObject({ exit: 0 });
    const [row] = await w.deps.db.read.select().from(settings).where(eq(settings.name, "test_secret"));
    expect(row!.value).toBe(SECRET);
    const listed = await operate(w, "operators:log", "--json");
    expect(JSON.parse(listed.out)).toMatchObject([{ command: "setting:set", words: "test_secret -" }]);
    expect((await operate(w, "setting:set", "test_secret", "")).exit).toBe(0);
  });

  it("is read to its end, without the last line break", async () => {
    const { exit } = await spawnCommand({ ...w.env }, ["member:add", "olaf_7"], "eight chars\n");
    expect(exit).toBe(0);
    const { code } = await w.call("/member/doLogin", { username: "olaf_7", password: "eight chars" });
    expect(code).toBe(200);
  });
});
