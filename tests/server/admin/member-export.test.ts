import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { verifyExport } from "#server/verify/export.ts";
import { furnishedWorld, type Furnished } from "../http/furnished.ts";
import { exported, type ExportedFile } from "../member/exported.ts";
import { ask, operate } from "./operate.ts";

let site: Furnished;
beforeAll(async () => {
  site = await furnishedWorld();
  // Its spin may have won a few days, which are over by the machine's clock; with ten years it runs by both.
  const { w, mia } = site;
  await w.deps.db.transact((tx) => extendMembership(tx, w.deps, mia.memberId, 3_650));
});
afterAll(() => site.w.close());

const at = (name: string) => join(site.w.folder, name);
const nameOf = async () => (await site.mia.call("/member/getUserInfo")).data.username;
const told = async () => {
  const { data } = await site.mia.call("/member/messages");
  return data.map(({ kind, text }) => [kind, text]).filter(([kind]) => kind === "security.exportedByHouse");
};
/** Lists that an export adds to, that only a member's own has, or that go by the clock: a command has the machine's. */
const OTHERWISE = new Set(["export", "limits", "sessions", "messages", "signature"]);

it("writes what the member's own export says, signed by the same key, and tells them", async () => {
  const { w, mia } = site;
  const file = at("mia.json");
  const words = ["member:export", await nameOf(), file, "--reason", "You asked us by letter"];
  expect(await ask(w, ...words)).toEqual({ ok: true, file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { key } = (await w.call("/fair/export-key")).data;
  expect(await verifyExport(file, key)).toBe("genuine");
  const [made, own] = [JSON.parse(readFileSync(file, "utf8")) as ExportedFile, await exported(w, mia)];
  const same = Object.keys(made).filter((name) => !OTHERWISE.has(name));
  expect(same).toEqual(expect.arrayContaining(["account", "bets"]));
  for (const name of same) expect([name, made[name]]).toEqual([name, own[name]]);
  expect(Object.keys(made)).not.toContain("proofs");
  expect(await told()).toEqual([["security.exportedByHouse", expect.stringContaining("You asked us by letter")]]);
  const acts = await ask<{ command: string; reason: string }[]>(w, "operators:log");
  expect(acts[0]).toMatchObject({ command: "member:export", reason: "You asked us by letter" });
});

it("is CSV by the name of the file, replaces none, and tells nobody of a file that was not made", async () => {
  const { w } = site;
  const [file, before] = [at("mia.csv"), (await told()).length];
  expect((await operate(w, "member:export", await nameOf(), file, "--reason", "A letter")).exit).toBe(0);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\uFEFF/);
  expect((await operate(w, "member:export", await nameOf(), file, "--reason", "A letter")).exit).toBe(1);
  expect((await operate(w, "member:export", "nobody_9", at("none.json"), "--reason", "A letter")).exit).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(await told()).toHaveLength(before + 1);
});
