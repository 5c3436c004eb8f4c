// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from "vitest";
import { openPage } from "./opened-page.ts";

const byId = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;

beforeAll(() => openPage("en-GB"));

it("no file chosen is nothing checked", () => {
  const place = byId("log-result");
  place.replaceChildren("before");
  const input = byId("log-file");
  Object.defineProperty(input, "files", { value: [], configurable: true });
  input.dispatchEvent(new Event("change"));
  expect(place.textContent).toBe("before");
});

it("a file can be chosen again after it was changed", () => {
  const input = byId("log-file");
  const value = vi.fn<(text: string) => void>();
  Object.defineProperty(input, "value", { set: value, configurable: true });
  Object.defineProperty(input, "files", { value: [], configurable: true });
  input.dispatchEvent(new Event("change"));
  expect(value.mock.calls).toEqual([[""]]);
});

it.each([
  ["file:///home/mia/trio-check.html", true],
  ["https://house.example/check.html", false],
])("the page at %s is saved already: %s", async (address, isSaved) => {
  const { happyDOM } = globalThis as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(address);
  await openPage("en-GB");
  expect(byId("save").hidden).toBe(isSaved);
});
