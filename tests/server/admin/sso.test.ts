import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members } from "#db/schema/index.ts";
import { Misused, Refused } from "#server/admin/command.ts";
import type { Command } from "#server/admin/command.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { parseCommand } from "#server/admin/usage.ts";
import { set } from "../../support/operator.ts";
import { SSO_SECRET } from "../../support/partner.ts";
import { world, type World } from "../../support/world.ts";
import { enter } from "../session/partner-world.ts";
import { ask, everything, operate } from "./operate.ts";

const PUBLIC_URL = "https://club.example";

interface Link {
  ok: boolean;
  url: string;
  username: string;
  expires: number;
}

let w: World;

beforeEach(async () => {
  w = await world({ env: { PUBLIC_URL } });
});
afterEach(() => w.close());

async function run(name: string, ...words: string[]) {
  const command = (await COMMANDS[name]!()) as Command;
  return command.run({ ...w.deps, config: w.config }, parseCommand(name, command, words));
}

async function link(name: string) {
  const { text, json } = await run("sso:link", name);
  const answer = json as Link;
  const { searchParams } = new URL(answer.url);
  return { text, answer, sso: searchParams.get("sso")!, username: searchParams.get("username")! };
}

describe("sso:link", () => {
  beforeEach(() => set(w, "sso_secret", SSO_SECRET));

  it("prints an address of the site that logs a member in, once", async () => {
    const mia = await w.player("mia_1");
    const { text, answer, sso, username } = await link("MIA_1");
    expect(answer).toMatchObject({ ok: true, username: "mia_1", expires: w.now() / 1000 + 60 });
    expect(answer.url).toMatch(/^https:\/\/club\.example\/\?sso=[\w.-]+&username=mia_1$/);
    expect(text.split("\n")[0]).toBe(answer.url);
    expect((await enter(w, username, sso)).data.user.id).toBe(`mem_${mia.memberId}`);
    expect((await enter(w, username, sso)).code).toBe(422);
  });

  it("works for an unknown name, who becomes a member on arrival", async () => {
    const names = async () => (await w.deps.db.read.select().from(members)).map(({ username }) => username);
    const { sso, username } = await link("new_1");
    expect(await names()).toEqual([]);
    expect((await enter(w, username, sso)).code).toBe(200);
    expect(await names()).toEqual(["new_1"]);
  });

  it("is good for sixty seconds", async () => {
    const { sso, username } = await link("mia_1");
    w.pass(60_000);
    expect((await enter(w, username, sso)).code).toBe(422);
    const next = await link("mia_1");
    w.pass(59_999);
    expect((await enter(w, next.username, next.sso)).code).toBe(200);
  });

  it("prints another each time, never the secret, and writes nothing", async () => {
    const before = await everything(w);
    const [one, two] = [await link("mia_1"), await link("mia_1")];
    expect(one.sso).not.toBe(two.sso);
    expect(`${one.text}${JSON.stringify(one.answer)}`).not.toContain(SSO_SECRET);
    expect(await everything(w)).toEqual(before);
  });

  it("is wrong use with an invalid name", async () => {
    await expect(run("sso:link", "no")).rejects.toThrow(Misused);
  });
});

describe("sso:link without a secret", () => {
  it("refuses and names what is missing", async () => {
    await expect(run("sso:link", "mia_1")).rejects.toThrow(
      new Refused("sso_secret is not set: setting:set sso_secret -"),
    );
    const { exit, out, err } = await operate(w, "sso:link", "mia_1");
    expect([exit, out, err]).toEqual([1, "", "sso_secret is not set: setting:set sso_secret -\n"]);
  });
});

describe("the setting sso_secret", () => {
  it("is masked, long enough or empty, and in force at once", async () => {
    for (const short of ["short", "x".repeat(31), `${"x".repeat(40)}\n`])
      await expect(run("setting:set", "sso_secret", short)).rejects.toThrow(Refused);
    expect(JSON.stringify(await run("setting:set", "sso_secret", SSO_SECRET))).not.toContain(SSO_SECRET);
    await w.site.relay.wake();
    const listed = JSON.stringify(await run("setting:list"));
    expect([listed.includes("********"), listed.includes(SSO_SECRET)]).toEqual([true, false]);
    const { url } = await ask<Link>(w, "sso:link", "mia_1");
    expect(url).toContain("/?sso=");
    expect(JSON.stringify((await w.call("/system/base")).data)).not.toContain("sso");
    await run("setting:set", "sso_secret", "");
    await expect(run("sso:link", "mia_1")).rejects.toThrow(Refused);
  });
});
