// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from "vitest";
import english from "#locales/en.json" with { type: "json" };
import { CLAIMED, PROVEN } from "./evidence-of-app.ts";
import { fileOf, openPage } from "./opened-page.ts";
import { PATIENTLY } from "../support/patience.ts";

const texts = { ...english.offline, finding: english.app.watch.found };
const byId = (id: string) => document.querySelector(`#${id}`)!;

beforeAll(() => openPage("en-GB"));

/** Chooses a file, and waits for the verdict. */
async function choose(file: File): Promise<void> {
  const place = byId("evidence-result");
  place.replaceChildren();
  const input = byId("evidence-file");
  Object.defineProperty(input, "files", { value: [file], configurable: true });
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(place.querySelector(".verdict")).not.toBeNull(), PATIENTLY);
}

const verdict = () => {
  const { className, textContent } = byId("evidence-result").querySelector(".verdict")!;
  return [className, textContent];
};
const good = (text: string) => ["verdict good", `✓ ${text}`];
const bad = (text: string) => ["verdict bad", `✗ ${text}`];
const listed = (selector: string) =>
  [...byId("evidence-result").querySelectorAll(selector)].map(({ textContent }) => textContent);
const facts = () => {
  const values = listed("dd");
  return Object.fromEntries(listed("dt").map((name, i) => [name, values[i]]));
};

describe("a file of evidence", () => {
  const contentOf = async (name: string) => (await PROVEN[name]!()).evidence();

  it("convicts the house by itself, in plain words with the exact ones below", async () => {
    const content = await contentOf("two balances");
    await choose(fileOf(content));
    expect(verdict()).toEqual(good(texts.goodEvidence));
    const { site, saved, logs } = JSON.parse(content) as { site: string; saved: string; logs: { origin: string }[] };
    expect(facts()).toEqual({
      [texts.evidenceFrom]: site,
      [texts.evidenceSaved]: saved,
      [texts.origin]: logs[0]!.origin,
    });
    expect(listed("strong")).toEqual([texts.finding.balance]);
    expect(listed("details li").join("\n")).toMatch(/^PROVEN: Two signed notes name different balances/m);
  });

  it.each(Object.entries(PROVEN))("convicts here, too: %s", async (_, make) => {
    await choose(fileOf(await (await make()).evidence()));
    expect(verdict()).toEqual(good(texts.goodEvidence));
  });

  it.each(Object.entries(CLAIMED))("convicts nobody here, either: %s", async (_, [make]) => {
    await choose(fileOf(await (await make()).evidence()));
    expect(verdict()).toEqual(bad(texts.claimedEvidence));
    expect(listed("li > p")[0]).toContain(texts.strength.claimed);
  });

  it("is broken by a change of what was signed, and is none in any other form", async () => {
    const content = await contentOf("two balances");
    await choose(fileOf(content.replace('"balance": 300', '"balance": 301')));
    expect(verdict()).toEqual(bad(texts.brokenEvidence));
    expect(listed("li > p")[0]).toContain(texts.strength.broken);
    for (const [other, why] of [
      [content.slice(0, -9), "It is no JSON: it may have been cut."],
      [Uint8Array.of(0xff, 0xfe), "It is no text in UTF-8."],
    ] as const) {
      await choose(fileOf(other));
      expect(listed("p")).toEqual([`✗ ${texts.noEvidence}`, why]);
    }
    const long = { size: 64 * 1_024 * 1_024 + 1, arrayBuffer: async () => Promise.reject(new Error("was read")) };
    await choose(long as unknown as File);
    expect(listed("p")).toEqual([`✗ ${texts.noEvidence}`, "It is longer than any file of evidence."]);
    await choose({ size: 64 * 1_024 * 1_024, arrayBuffer: async () => new ArrayBuffer(1) } as unknown as File);
    expect(listed("p")).toEqual([`✗ ${texts.noEvidence}`, "It is no JSON: it may have been cut."]);
  });

  it("is not deceived by letters that turn a page around", async () => {
    const content = (await contentOf("two heads of one size")).replace("https://house.example", "\u202Ehouse");
    await choose(fileOf(content));
    expect(facts()[texts.evidenceFrom]).toBe("?house");
  });
});
