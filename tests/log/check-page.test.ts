// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { tagFor } from "#client/offline/texts.ts";
import english from "#locales/en.json" with { type: "json" };
import korean from "#locales/ko.json" with { type: "json" };
import { bundleHead, bundleLeaf, BUNDLE_END } from "#shared/log/bundle.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signNote } from "#shared/log/note.ts";
import { tilePath } from "#shared/log/tiles.ts";
import { wordsOf } from "#shared/log/words.ts";
import { entryOfLeaf, HOUSE, honestLog, ORIGIN } from "./honest-log.ts";
import { fileOf, openPage } from "./opened-page.ts";
import { bytes, hexOf, sha256, signerOf } from "./world.ts";
import { MemoryLog } from "../support/log-site.ts";
import { PATIENTLY } from "../support/patience.ts";
import { GAME, House, roundAt } from "../client/watch/house.ts";

const texts = english.offline;
const LEAVES = [...honestLog({ hours: 2, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] })].map(entryOfLeaf);
const logOf = (...entries: Uint8Array[]) => new MemoryLog(HOUSE).add(...entries);
const LOG = logOf(...LEAVES);
const WITNESS = signerOf("witness.example", COSIGNATURE_KEY);
const SIGNED_AT_S = Date.UTC(2026, 2, 2, 2) / 1_000;

const byId = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!;

beforeAll(() => openPage("xx", "en-GB"));
beforeEach(() => {
  byId<HTMLTextAreaElement>("witness-keys").value = "";
  byId<HTMLInputElement>("export-key").value = "";
});

/** Chooses files, and waits for the verdict. Returns what the place showed before it. */
async function choose(id: string, ...files: File[]): Promise<string[]> {
  const place = byId(id === "export-file" ? "export-result" : "log-result");
  place.replaceChildren();
  const shown: string[] = [];
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    shown.push(...added.filter((node) => node instanceof Text).map(({ data }) => data));
  });
  observer.observe(place, { childList: true });
  const input = byId<HTMLInputElement>(id);
  Object.defineProperty(input, "files", { value: files, configurable: true });
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(place.querySelector(".verdict")).not.toBeNull(), PATIENTLY);
  observer.disconnect();
  return shown;
}

const result = (of: "log" | "export") => byId(`${of}-result`);
const verdict = (of: "log" | "export" = "log") => {
  const { className, textContent } = result(of).querySelector(".verdict")!;
  return [className, textContent];
};
const good = (text: string) => ["verdict good", `✓ ${text}`];
const bad = (text: string) => ["verdict bad", `✗ ${text}`];
const listed = (selector: string, of: "log" | "export" = "log") =>
  [...result(of).querySelectorAll(selector)].map(({ textContent }) => textContent);
/** The facts by their names. */
const facts = (of: "log" | "export" = "log") => {
  const values = listed("dd", of);
  return Object.fromEntries(listed("dt", of).map((name, i) => [name, values[i]]));
};

function bundle(log = LOG, note = log.note()): string {
  const leaves = log.entries.map((entry, i) =>
    bundleLeaf(new TextDecoder().decode(entry), i === log.entries.length - 1),
  );
  return bundleHead(note, keyText(log.signer.key)) + leaves.join("") + BUNDLE_END;
}

/** The head, cosigned in this second. */
function witnessed(at = SIGNED_AT_S, by = WITNESS): string {
  const note = parseNote(LOG.note())!;
  return noteText({ ...note, signatures: [...note.signatures, cosign(note.text, at, by)] });
}

const spoil = (from: string | RegExp, to: string) =>
  LEAVES.map((entry) => bytes(new TextDecoder().decode(entry).replace(from, to)));

describe("a copy of a log in one file", () => {
  it("has no fault, and is told by its head, its times, its games and twelve words", async () => {
    await choose("log-file", fileOf(bundle()));
    expect(verdict()).toEqual(good(texts.goodLog));
    expect(listed("p")).toEqual([`✓ ${texts.goodLog}`, texts.compareHint]);
    expect(listed("h3")).toEqual([texts.notes]);
    const last = Date.UTC(2026, 2, 2, 2);
    const at = LEAVES.findIndex((entry) => new TextDecoder().decode(entry).includes(`"time":${last}`));
    const head = parseCheckpoint(parseNote(LOG.note(at + 1))!.text)!;
    expect(facts()).toEqual({
      [texts.origin]: ORIGIN,
      [texts.entries]: String(LEAVES.length),
      [texts.from]: "2026-03-02T00:00:57.100Z",
      [texts.to]: "2026-03-02T02:00:00.000Z",
      [texts.games]: "k3-1m",
      [texts.words.replace("{{time}}", "2026-03-02T02:00:00.000Z")]: wordsOf(head).join(" "),
      [texts.signers]: texts.nobody,
    });
  });

  it("is whole without its last newline, and with letters that arrive in two pieces", async () => {
    await choose("log-file", fileOf(bundle().slice(0, -1)));
    expect(verdict()).toEqual(good(texts.goodLog));
    // No leaf has such letters: one that is unknown, but is what the head holds.
    await choose("log-file", fileOf(bundle(logOf(bytes('{"kind":"ảéờ"}'))), { pieces: 1 }));
    expect(listed("details li")).toEqual([
      "Leaf 0 is of an unknown kind or form, so nothing of this log is proven.",
      "The head does not end in its time.",
    ]);
    expect(facts()).not.toHaveProperty(texts.games);
  });

  it("is none with a mark of its byte order, and cannot be read in another coding", async () => {
    await choose("log-file", fileOf(`\uFEFF${bundle()}`));
    expect(verdict()).toEqual(bad(texts.brokenLog));
    expect(listed("p")).toEqual([`✗ ${texts.brokenLog}`]);
    expect(facts()).toEqual({});
    await choose("log-file", fileOf(Buffer.concat([bytes(bundle()), Uint8Array.of(0xff)])));
    expect(verdict()).toEqual(["verdict bad", texts.unreadable]);
  });

  it.each(["", "{}", "\n", bundle().replace('"leaves":[', '"leaves": [')])("is none that reads %j", async (text) => {
    await choose("log-file", fileOf(text));
    expect(verdict()).toEqual(bad(texts.brokenLog));
  });

  it("tells twenty of each fault, and how many more there are", async () => {
    await choose("log-file", fileOf(bundle(logOf(...Array.from({ length: 21 }, (_, i) => bytes(`entry ${i}`))))));
    expect(listed("details li")).toHaveLength(21);
    expect(listed(".found p")).toEqual([texts.more.replace("{{count}}", "1")]);
  });

  it("is counted aloud while it is read", async () => {
    const many = logOf(...Array.from({ length: 4_100 }, (_, i) => bytes(`entry ${i}`)));
    const shown = await choose("log-file", fileOf(bundle(many)));
    const working = [0, 2_000, 4_000].map((count) => texts.working.replace("{{count}}", String(count)));
    expect(shown).toEqual(working);
  });

  it("that contradicts itself says so plainly, and exactly below", async () => {
    const again = spoil(
      /("kind":"draw"[^]*?)"dice":\[[^\]]*\]|"dice":\[[^\]]*\]([^]*"kind":"draw")/,
      '$1"dice":[6,6,6]$2',
    );
    await choose("log-file", fileOf(bundle(logOf(...again))));
    expect(verdict()).toEqual(bad(texts.badLog));
    expect(listed("p")).toEqual(expect.arrayContaining([texts.keepHint]));
    expect(listed("h3")).toEqual([texts.problems, texts.notes]);
    expect(listed(".found > li > strong")).toEqual([texts.found.dice, texts.found.young]);
    expect(listed(".found summary")).toEqual([texts.exact, texts.exact]);
    const exact = listed(".found:first-of-type details li");
    expect(exact).toHaveLength(20);
    expect(exact[0]).toMatch(/^k3-1m 20260302-000\d: the seed gives other dice\.$/);
    expect(listed(".found p")[0]).toMatch(/^More like this: \d\d$/);
  });

  it("that ends early is no contradiction", async () => {
    await choose("log-file", fileOf(bundle().split("\n").slice(0, 20).join("\n")));
    expect(verdict()).toEqual(bad(texts.brokenLog));
    expect(listed("details li")).toEqual(["leaf 19 is missing or has another length, so nothing after it is proven."]);
    expect(listed(".found p")).toEqual([]);
    expect(Object.keys(facts())).not.toContain(texts.games);
  });

  it("whose head or key is none tells nothing of it", async () => {
    for (const head of [bundleHead("none\n", keyText(LOG.signer.key)), bundleHead(LOG.note(), "none")]) {
      await choose("log-file", fileOf(head + BUNDLE_END));
      expect([verdict(), facts()]).toEqual([bad(texts.brokenLog), {}]);
    }
  });

  it("names its witnesses, and when those signed whose keys the reader knows", async () => {
    await choose("log-file", fileOf(bundle(LOG, witnessed())));
    expect(facts()[texts.signers]).toBe(`witness.example (${texts.unchecked})`);
    byId<HTMLTextAreaElement>("witness-keys").value = `no key\n  ${keyText(WITNESS.key)}  \n`;
    await choose("log-file", fileOf(bundle(LOG, witnessed())));
    expect(facts()[texts.signers]).toBe("witness.example (2026-03-02T02:00:00.000Z)");
    expect(verdict()).toEqual(good(texts.goodLog));
  });

  it("is contradicted by a witness' false line, or one of an earlier time", async () => {
    byId<HTMLTextAreaElement>("witness-keys").value = keyText(WITNESS.key);
    const thief = signerOf(WITNESS.key.name, COSIGNATURE_KEY, "thief");
    for (const [note, group] of [
      [witnessed(SIGNED_AT_S, { ...thief, key: WITNESS.key }), texts.found.signature],
      [witnessed(SIGNED_AT_S - 3_600), texts.found.time],
    ] as const) {
      await choose("log-file", fileOf(bundle(LOG, note)));
      expect(verdict()).toEqual(bad(texts.badLog));
      expect(listed(".found > li > strong")).toEqual([group, texts.found.young]);
    }
  });

  it("speaks another language as soon as one is chosen", async () => {
    await choose("log-file", fileOf(bundle()));
    const language = byId<HTMLSelectElement>("language");
    const { documentElement: page } = document;
    expect([language.value, document.title, page.lang, page.dir]).toEqual(["en", texts.title, "en", "ltr"]);
    const said = () => [...document.querySelectorAll<HTMLElement>("[data-text]")].map((one) => one.textContent);
    for (const [tag, spoken] of [
      ["ko", korean.offline],
      ["en", texts],
    ] as const) {
      language.value = tag;
      language.dispatchEvent(new Event("change"));
      expect([document.title, page.lang, page.dir]).toEqual([spoken.title, tag, "ltr"]);
      expect(verdict()).toEqual(good(spoken.goodLog));
      expect(said()).toEqual(expect.arrayContaining([spoken.title, spoken.intro, spoken.logFile]));
      expect(Object.values<unknown>(spoken)).toEqual(expect.arrayContaining(said()));
    }
  });
});

/** A log's files in a chosen folder. */
function folderOf(log: MemoryLog, below: string, more: Record<string, string | Uint8Array> = {}): File[] {
  const contents = { ...Object.fromEntries(log.paths().map((path) => [path, log.file(path)!])), ...more };
  return Object.entries(contents).map(([path, content]) => fileOf(content, { path: `${below}/${path}` }));
}

it.each([
  [["th"], "th"],
  [["xx", "ko-KR", "vi"], "ko"],
  [["zh"], "zh-CN"],
  [["zh-Hans-SG"], "zh-CN"],
  [["zh-TW"], "zh-TW"],
  [["zh-Hant"], "zh-TW"],
  [["zh-HK"], "zh-TW"],
  [["zh-MO"], "zh-TW"],
  [["es"], "es-419"],
  [["es-MX"], "es-419"],
  [["EN-gb"], "en"],
  [["not a language", "ja"], "ja"],
  [["xx"], "en"],
  [[], "en"],
])("a browser that wants %j gets %s", (wanted, tag) => {
  expect(tagFor(wanted)).toBe(tag);
});

describe("a copy of a log in a folder", () => {
  it.each(["copy", "site/log"])("has no fault in %s", async (below) => {
    const shown = await choose("log-folder", ...folderOf(LOG, below));
    expect(verdict()).toEqual(good(texts.goodLog));
    const working = [0, 256, 512, 768, LEAVES.length].map((count) => texts.working.replace("{{count}}", String(count)));
    expect(shown).toEqual(working);
  });

  it("lacks a file that lies deeper, or is too long for what it is", async () => {
    await choose("log-folder", ...folderOf(LOG, "my/old/log"));
    expect(verdict()).toEqual(bad(texts.brokenLog));
    // Anybody can add a line to a head.
    const note = LOG.note();
    const line = (length: number) => `— ${"x".repeat(length - bytes("—  AAAAAAA=\n").length)} AAAAAAA=\n`;
    for (const [length, exact] of [
      [131_072, []],
      [131_073, ["What stands as the head is none."]],
    ] as const) {
      await choose("log-folder", ...folderOf(LOG, "copy", { checkpoint: note + line(length - bytes(note).length) }));
      expect(listed(".found:first-of-type details li").filter((text) => text.startsWith("What"))).toEqual(exact);
      expect(verdict()).toEqual(exact.length > 0 ? bad(texts.brokenLog) : good(texts.goodLog));
    }
  });

  it("has a tile that does not hold its entries", async () => {
    const path = tilePath({ level: 0, index: 0, width: 256 });
    const tile = LOG.file(path)!.slice();
    tile[0]! ^= 1;
    await choose("log-folder", ...folderOf(LOG, "copy", { [path]: tile }));
    expect(verdict()).toEqual(bad(texts.badLog));
    expect(listed("details li")).toContain(`${path} does not hold the hashes of the entries.`);
  });
});

const EXPORTER = signerOf("exports.example");
const KEY = hexOf(EXPORTER.key.publicKey);

/** An export of this content, signed as a whole. */
function signed(content: object, { member = EXPORTER, key = KEY } = {}): string {
  const begin = `${JSON.stringify(content).slice(0, -1)},\n`;
  const value = hexOf(member.sign(sha256(bytes(begin))));
  return `${begin}"signature":{"algorithm":"Ed25519","key":"${key}","value":"${value}"}}\n`;
}

/** What an honest house exports of one bet in a closed round. */
function exportOf(house = new House()) {
  house.bet("bet_1", 1);
  const { head, close, path: closePath } = house.close(1);
  const { bet, salt, index, count, path } = house.proof("bet_1");
  return {
    log: [
      { kind: "head", text: head },
      { kind: "key", text: house.key },
    ],
    proofs: [
      { kind: "close", id: String(close.number), text: close.leaf, proof: closePath },
      { kind: "bet", id: "bet_1", text: bet, proof: [salt, String(index), String(count), ...path] },
    ],
    bets: [{ id: "bet_1", game: GAME, round: roundAt(1), options: ["A", "7"], stake: "2.00" }],
    entries: [
      { id: "gift_1", version: "1", amount: "10.00", balance: "10.00" },
      { id: "bet_1", version: "2", amount: "-4.00", balance: "6.00" },
    ],
  };
}

describe("an export", () => {
  it("is as its key signed it", async () => {
    await choose("export-file", fileOf(signed({ about: "me" }), { pieces: 10 }));
    expect(verdict("export")).toEqual(good(texts.goodExport));
    expect(facts("export")).toEqual({ [texts.key]: KEY });
    expect(listed("p", "export")).toEqual([`✓ ${texts.goodExport}`, texts.exportKeyHint]);
  });

  it("counts only with the house's key, where the reader gives one", async () => {
    const thief = signerOf("thief.example");
    const file = signed({ about: "me" }, { member: thief, key: hexOf(thief.key.publicKey) });
    await choose("export-file", fileOf(file));
    expect(verdict("export")).toEqual(good(texts.goodExport));
    byId<HTMLInputElement>("export-key").value = ` ${KEY.toUpperCase()} `;
    await choose("export-file", fileOf(file));
    expect(verdict("export")).toEqual(bad(texts.badExport));
    expect(facts("export")).toEqual({ [texts.key]: KEY });
    expect(listed("p", "export")).toEqual([`✗ ${texts.badExport}`]);
    await choose("export-file", fileOf(signed({ about: "me" })));
    expect(verdict("export")).toEqual(good(texts.goodExport));
    for (const other of ["ab", `${KEY}00`, "no key"]) {
      byId<HTMLInputElement>("export-key").value = other;
      await choose("export-file", fileOf(signed({ about: "me" })));
      expect(verdict("export")).toEqual(bad(texts.badExport));
    }
  });

  it("is not what was signed after any change, and none without its last line", async () => {
    await choose("export-file", fileOf(signed({ about: "me" }).replace("me", "we")));
    expect(verdict("export")).toEqual(bad(texts.badExport));
    await choose("export-file", fileOf(signed({ about: "me" }).slice(0, -1)));
    expect(verdict("export")).toEqual(bad(texts.unsigned));
    expect(listed("dl", "export")).toEqual([]);
  });

  it("shows which of its bets the signed log counts", async () => {
    const file = exportOf();
    await choose("export-file", fileOf(signed(file)));
    expect(listed(".verdict", "export")).toEqual([`✓ ${texts.goodExport}`]);
    const { origin, size } = parseCheckpoint(parseNote(file.log[0]!.text)!.text)!;
    expect(facts("export")).toEqual({
      [texts.key]: KEY,
      [texts.origin]: origin,
      [texts.entries]: String(size),
      [texts.signers]: texts.nobody,
      [texts.bets]: "1",
    });
  });

  it("that lists a bet otherwise names it, and one under a head that nobody signed names the log", async () => {
    const file = exportOf();
    file.bets[0]!.stake = "3.00";
    await choose("export-file", fileOf(signed(file)));
    expect(listed(".verdict", "export")[1]).toBe(`✗ ${texts.badBets.replace("{{which}}", "bet_1")}`);
    expect(facts("export")[texts.bets]).toBe("0");
    const other = exportOf();
    other.log[1]!.text = keyText(signerOf(new House().signer.key.name, undefined, "thief").key);
    await choose("export-file", fileOf(signed(other)));
    const { origin } = parseCheckpoint(parseNote(other.log[0]!.text)!.text)!;
    expect(listed(".verdict", "export")[1]).toBe(`✗ ${texts.badBets.replace("{{which}}", origin)}`);
  });

  it("whose head a key signed that the log never had is not called signed", async () => {
    const file = exportOf();
    const { text } = parseNote(file.log[0]!.text)!;
    const thief = signerOf(parseCheckpoint(text)!.origin, undefined, "thief");
    file.log[0]!.text = noteText(signNote({ text, signatures: [] }, thief));
    file.log[1]!.text = keyText(thief.key);
    await choose("export-file", fileOf(signed(file)));
    expect(listed(".verdict", "export")).toEqual([`✓ ${texts.goodExport}`, `✗ ${texts.brokenLog}`]);
  });
});
