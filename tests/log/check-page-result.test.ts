// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { exportResult } from "#client/offline/result.ts";
import { tagFor, textsOf } from "#client/offline/texts.ts";
import type { ExportLog } from "#shared/log/check-export.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { MemoryLog } from "../support/log-site.ts";
import { entryOfLeaf, HOUSE } from "./honest-log.ts";

const texts = textsOf("en");
const note = new MemoryLog(HOUSE).add(entryOfLeaf({ kind: "time", time: 1 })).note();
const head = parseCheckpoint(parseNote(note)!.text)!;
const LOG: ExportLog = { head, note, signers: [], isSigned: false, isKeyShown: false, proven: 0, faulty: [] };

const verdictsOf = (log: ExportLog) =>
  exportResult(texts, { verdict: "genuine", key: "ab", log })
    .map((node) => node as Element)
    .filter((node) => node.classList?.contains("verdict"))
    .map(({ textContent }) => textContent);

it("an export whose key is not shown names each bet that is wrong, and else the log", () => {
  document.documentElement.lang = "en";
  expect(verdictsOf(LOG)[1]).toBe(`✗ ${texts.brokenLog}`);
  expect(verdictsOf({ ...LOG, faulty: ["bet_7"] })[1]).toBe(`✗ ${texts.badBets.replace("{{which}}", "bet_7")}`);
});

it("a language without texts of its own is read in English", () => {
  expect(textsOf("xx")).toBe(textsOf("en"));
  expect(textsOf("ko")).not.toBe(textsOf("en"));
  expect(tagFor([])).toBe("en");
  expect(tagFor(["ko-KR"])).toBe("ko");
});
