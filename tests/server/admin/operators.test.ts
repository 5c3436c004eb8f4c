import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { operators } from "#db/schema/operators.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { runCommand, shell } from "#server/admin/acts.ts";
import type { Caller, Command } from "#server/admin/command.ts";
import { hashToken } from "#server/domains/session/tokens.ts";
import { GRANTS } from "#server/admin/roles.ts";
import { readConfig } from "#server/config/config.ts";
import { databaseIn } from "../../support/databases.ts";
import { set } from "../../support/operator.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type World } from "../../support/world.ts";
import { asked, saver } from "../payments/purse.ts";
import { ask, operate } from "./operate.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

it("every command has its row in the table of roles", () => {
  expect(Object.keys(GRANTS).sort()).toEqual(Object.keys(COMMANDS).sort());
});

/** Adds an operator who has been at the console. */
async function person(name: string, roles = "finance"): Promise<Caller> {
  await operate(w, "operator:invite", name, roles);
  const [row] = await w.deps.db.transact((tx) =>
    tx.update(operators).set({ state: "active" }).where(eq(operators.name, name)).returning(),
  );
  return { id: row!.id, who: name, host: "127.0.0.1" };
}

async function give(caller: Caller, name: string, ...words: string[]) {
  const command = (await COMMANDS[name]!()) as Command;
  const [id = ""] = words;
  return runCommand({ ...w.deps, config: readConfig(w.env, []) }, name, command, {
    args: { ID: id },
    options: { reason: words[1] },
    caller,
  });
}

describe("an operator", () => {
  it("is invited by a link that the database does not hold, until it expires", async () => {
    const { url } = await ask<{ url: string }>(w, "operator:invite", "anna", "finance,support", "--port", "4000");
    const token = /^http:\/\/localhost:4000\/#invite=([\w-]{43})$/.exec(url)![1]!;
    const invites = await withConnection(databaseIn(w), (one) => one.all("select * from operator_invites"));
    expect(invites).toMatchObject([{ hash: hashToken(token) }]);
    expect(JSON.stringify(invites)).not.toContain(token);
    expect(await ask(w, "operator:list")).toMatchObject([
      { name: "anna", roles: ["support", "finance"], state: "invited", last_used: 0 },
    ]);
    const acts = await ask<object[]>(w, "operators:log");
    expect(JSON.stringify(acts)).not.toContain(token);
  });

  it("changes nobody's roles but others'", async () => {
    const caller = await person("anna", "owner");
    await person("ben");
    const roles = (await COMMANDS["operator:roles"]!()) as Command;
    const give = (name: string) => {
      const input = { args: { NAME: name, ROLES: "support" }, options: {}, caller };
      return runCommand({ ...w.deps, config: readConfig(w.env, []) }, "operator:roles", roles, input);
    };
    await expect(give("anna")).rejects.toThrow("nobody changes their own roles");
    await give("ben");
    expect(await ask(w, "operator:list")).toMatchObject([{ roles: ["owner"] }, { roles: ["support"] }]);
  });

  it("keeps a name for ever, and is refused what is none", async () => {
    await person("anna");
    expect(await ask(w, "operator:roles", "anna", "content")).toMatchObject({ roles: ["content"] });
    await operate(w, "operator:remove", "anna");
    for (const words of [
      ["operator:invite", "anna", "owner"],
      ["operator:renew", "anna"],
      ["operator:remove", "anna"],
    ])
      expect((await operate(w, ...words)).exit).toBe(1);
    for (const words of [
      ["Anna", "owner"],
      ["anna", "king"],
      ["anna", "owner,owner"],
    ])
      expect((await operate(w, "operator:invite", ...words)).exit).toBe(2);
    expect(await ask(w, "operator:list")).toMatchObject([{ name: "anna", state: "removed" }]);
  });

  it.each(["update operators set name = 'eve'", "delete from operators", "update operators set state = 'active'"])(
    "was: %s is refused",
    async (sql) => {
      await person("anna");
      await operate(w, "operator:remove", "anna");
      await expect(withConnection(databaseIn(w), (one) => one.run(sql))).rejects.toThrow(/operator/);
    },
  );

  it("is named in the log with the address, beside the shell's user", async () => {
    const anna = await person("anna");
    await give(anna, "round:retry").catch(() => {});
    await give(anna, "withdraw:approve", "wdr_9").catch(() => {});
    const [act] = await ask<object[]>(w, "operators:log");
    const where = { who: "anna", host: "127.0.0.1", operatorId: anna.id };
    expect(act).toMatchObject({ ...where, command: "withdraw:approve", words: "wdr_9", outcome: "refused" });
    expect((await operate(w, "operators:log")).out).toContain("operator anna from 127.0.0.1  refused");
    await operate(w, "member:list");
    await operate(w, "invite:add", "HELLO");
    expect((await ask<object[]>(w, "operators:log"))[0]).toMatchObject({ who: shell({}).who, operatorId: null });
  });
});

describe("a withdrawal over withdraw_two_persons", () => {
  let id: string;
  beforeEach(async () => {
    const mia = await saver(w, "mia_1", 1_000);
    id = `wdr_${await asked(mia, 300)}`;
    await set(w, "withdraw_two_persons", "299");
  });
  const approve = (caller: Caller) => give(caller, "withdraw:approve", id);
  const status = async () => (await ask<{ status_text: string; first_approved_by: string }[]>(w, "withdraw:list"))[0]!;

  it("is approved by two operators, and by neither twice", async () => {
    const [anna, bert] = [await person("anna"), await person("bert")];
    expect((await approve(anna)).text).toContain("waits for a second");
    expect(await status()).toMatchObject({ status_text: "review", first_approved_by: "anna" });
    await expect(approve(anna)).rejects.toThrow("another operator has to follow");
    expect((await operate(w, "withdraw:pay", id)).exit).toBe(1);
    await approve(bert);
    expect((await status()).status_text).toBe("approved");
  });

  it("may have the shell as the first person, and never as the second", async () => {
    expect((await operate(w, "withdraw:approve", id)).out).toContain("waits for a second");
    const again = await operate(w, "withdraw:approve", id);
    expect([again.exit, again.err]).toEqual([1, expect.stringContaining("never the second person")]);
    await approve(await person("anna"));
    expect((await status()).status_text).toBe("approved");
  });

  it("has a first person anew after the first was removed", async () => {
    const [anna, bert, carl] = [await person("anna"), await person("bert"), await person("carl")];
    await approve(anna);
    await operate(w, "operator:remove", "anna");
    await approve(bert);
    expect(await status()).toMatchObject({ status_text: "review", first_approved_by: "bert" });
    await approve(carl);
    expect((await status()).status_text).toBe("approved");
  });

  it.each([
    ["may approve no more", ["operator:roles", "anna", "support"]],
    ["lost their device", ["operator:renew", "anna"]],
  ])("has a first person anew after the first %s", async (_why, words) => {
    const [anna, bert, carl] = [await person("anna"), await person("bert"), await person("carl")];
    await approve(anna);
    await operate(w, ...words);
    // With another passkey, anna is back.
    await w.deps.db.transact((tx) => tx.update(operators).set({ state: "active" }));
    await approve(bert);
    expect(await status()).toMatchObject({ status_text: "review", first_approved_by: "bert" });
    await approve(carl);
    expect((await status()).status_text).toBe("approved");
  });

  it("of two who are the first at one moment, one is", async () => {
    const people = [await person("anna"), await person("bert")];
    await Promise.all(people.map(approve));
    expect((await status()).status_text).toBe("approved");
  });

  it("while one of no more takes one", async () => {
    await set(w, "withdraw_two_persons", "300");
    await approve(await person("anna"));
    expect((await status()).status_text).toBe("approved");
  });
});
