import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTexts, type Texts } from "#server/app/texts.ts";
import { ROOT } from "../../support/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "trio-texts-"));
let text: Texts;
beforeAll(async () => {
  cpSync(join(ROOT, "locales"), folder, { recursive: true });
  const file = join(folder, "ko.json");
  const korean = JSON.parse(readFileSync(file, "utf8")) as { done: string; app: { plan: Record<string, string> } };
  writeFileSync(
    file,
    JSON.stringify({ done: korean.done, app: { plan: { days_one: korean.app.plan["days_other"] } } }),
  );
  text = await readTexts(pathToFileURL(`${folder}/`));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("a text is read in its language", () => {
  expect([text("ko_kr", "done"), text("vn_vn", "done")]).toEqual(["완료되었습니다", "Hoàn tất"]);
});

it("a text that a language lacks is read in English, with its values", () => {
  expect(text("ko_kr", "refusal.object.unknown")).toBe(text("en_us", "refusal.object.unknown"));
  expect(text("ko_kr", "unit.points", { amount: "5" })).toBe(text("en_us", "unit.points", { amount: "5" }));
});

it("a plural form that a language lacks is read in English", () => {
  // Korean has one form, _other, which this copy lacks.
  expect([1, 30].map((count) => text("ko_kr", "app.plan.days", { count }))).toEqual(["1 day", "30 days"]);
});
