import { afterAll, beforeAll, expect, it } from "vitest";
import { COLUMNS, isByLanguage, shownOf } from "../../../console/columns.ts";
import { onlyReads } from "#server/admin/acts.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { labelOf, LABELS } from "#server/admin/labels.ts";
import { fieldsOf } from "#server/admin/usage.ts";
import { furnishedWorld } from "../http/furnished.ts";
import type { World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

const all = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const));
/** Without those that the shell alone may give. */
const loaded = all.filter(([, command]) => !("serve" in command));
const words = loaded.flatMap(([name, command]) => fieldsOf(command).map((field) => [name, field.name] as const));

let w: World;
beforeAll(async () => {
  ({ w } = await furnishedWorld());
  await operate(w, "operator:invite", "anna", "owner");
});
afterAll(() => w.close());

it("every word of a command has a label that is no name of the program's", () => {
  for (const [command, word] of words) expect(labelOf(command, word)).toMatch(/^[A-Z][a-z]+,?( [^_:]+)*$/);
});

it("every label is used", () => {
  const used = new Set(
    words.flatMap(([command, word]) => (LABELS[`${command} ${word}`] ? [`${command} ${word}`] : [word])),
  );
  expect(Object.keys(LABELS).filter((key) => !used.has(key))).toEqual([]);
});

it("a word without a label is refused", () => {
  expect(() => labelOf("member:show", "SHOE")).toThrow("SHOE of member:show has no label");
});

it("a reason, and whatever its help says goes by language, has a field for each language", () => {
  const fields = loaded.flatMap(([name, command]) =>
    fieldsOf(command)
      .filter((field) => field.name === "reason" && field.kind !== "local")
      .map(() => name),
  );
  const silent = loaded.filter(
    ([, command]) =>
      /by language/.test(`${command.does} ${command.more?.() ?? ""}`) &&
      !/FILE\.json|CHAPTERS|VALUE/.test(command.usage) &&
      !fieldsOf(command).some(({ kind }) => kind === "local"),
  );
  expect([fields, silent.map(([name]) => name)]).toEqual([[], []]);
});

/** Names of columns at any depth. */
function namesIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(namesIn);
  if (typeof json !== "object" || json === null) return [];
  const row = json as Record<string, unknown>;
  if (isByLanguage(row)) return [];
  return [...shownOf(row), ...shownOf(row).flatMap((name) => namesIn(row[name]))];
}

/** These have a page of their own, or show a text. */
const OWN_PAGE = new Set(["setting:list", "live", "audit"]);

it("every column that a command lists has a label", async () => {
  const names = new Set<string>();
  for (const [name, command] of loaded) {
    if (!("run" in command) || OWN_PAGE.has(name) || !onlyReads(command, { args: {}, options: {} })) continue;
    const member = command.usage.startsWith("NAME") ? ["mia_1"] : [];
    for (const column of namesIn(await ask(w, name, ...member))) names.add(column);
  }
  expect([...names].filter((name) => !Object.hasOwn(COLUMNS, name))).toEqual([]);
  expect(names.size).toBeGreaterThan(40);
});
