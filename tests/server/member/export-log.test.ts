import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkExport } from "#shared/log/check-export.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signNote } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";
import { program } from "../../support/program.ts";
import { bet } from "../../support/ledger.ts";
import { ask } from "../admin/operate.ts";
import { WitnessServer } from "../../support/witness-servers.ts";
import { START, world, type Player, type World } from "../../support/world.ts";
import { addComment } from "#server/domains/listing/comments.ts";
import { city, decide, listing, save } from "../listing/listing-world.ts";
import { exported, fetchExport } from "./exported.ts";

let w: World;
let mia: Player;
let witness: WitnessServer;
let folder: string;
let text: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-export-log-"));
  witness = await WitnessServer.start(folder, { now: () => START + 9_000 });
  w = await world({ env: { WITNESSES: witness.named } });
  await witness.meets(w.site.publicLog.key.key);
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  const tom = await w.player("tom_1", { balance: 1_000 });
  await w.live(1_000);
  for (let round = 0; round < 3; round++) {
    await bet(w, mia, 10, "A,B");
    await bet(w, tom, 5, "C");
    await bet(w, mia, 2, "7");
    await w.live(60_000);
  }
  await city(w, "Hanoi");
  await save(w, listing("a"));
  await w.deps.db.transact(async (tx) => {
    const comment = { listingId: 1, memberId: mia.memberId, text: "Lovely host", hearts: 5, locale: "en_us" } as const;
    await addComment(tx, w.deps, comment);
  });
  await decide(w, 1, true);
  await w.live(60_000);
  await w.site.publicLog.settle();
  await bet(w, mia, 1, "D");
  text = (await fetchExport(w, mia, "json")).body;
});
afterAll(async () => {
  await w.close();
  await witness.leave();
  rmSync(folder, { recursive: true });
});

/** The file after a change. */
const changed = (from: string | RegExp, to: string): unknown => {
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  return JSON.parse(other);
};

describe("an export", () => {
  it("carries a head with all signatures, and the way from each counted bet to it", async () => {
    const checked = checkExport(JSON.parse(text), [])!;
    expect(checked).toMatchObject({
      isSigned: true,
      signers: [{ name: witness.key.name, at: START + 9_000 }],
      proven: 6,
      faulty: [],
    });
    expect(checked.head.origin).toBe(w.site.publicLog.key.key.name);
    const file = await exported(w, mia);
    expect(file.bets).toHaveLength(7);
    expect(file.proofs!.filter(({ kind }) => kind === "close")).toHaveLength(3);
  });

  it("is checked by the command, bet by bet", async () => {
    const file = join(folder, "mine.json");
    writeFileSync(file, text);
    const { data } = await w.call("/fair/export-key", {}, { method: "GET" });
    const words = [...program("server/verify.ts"), "export", file, "--key", data.key];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(stdout).toContain(`also signed by ${witness.key.name} (2026-03-02T00:00:09`);
    expect(stdout).toContain("6 bets are among those that this head counts");
  });

  it("tells nothing of other members' bets but a hash", () => {
    expect(text).not.toContain("tom_1");
    expect(text).not.toContain('"options":["C"]');
  });

  it.each<[string, string | RegExp, string]>([
    ["lists another stake", '"stake":"10.00"', '"stake":"11.00"'],
    ["lists another option", '"options":["7"]', '"options":["8"]'],
    ["lists another round", /("round":"20260302-000)1("[^\n]*"stake")/, "$19$2"],
    ["proves a bet by another salt", /"proof":\["[0-9a-f]{64}"/, `"proof":["${"ab".repeat(32)}"`],
    ["has another closing", /\\"bets\\":3/, '\\"bets\\":4'],
    ["has lost a closing", '"kind":"close"', '"kind":"other"'],
    ["lists another comment", '"text":"Lovely host","status"', '"text":"Awful host","status"'],
    ["proves another comment", /(comment_proofs[^]*)Lovely host/, "$1Awful host"],
    ["lists a comment as hidden", '"status":"shown"', '"status":"hidden"'],
    ["leaves a bet out", /\{"id":"bet_1",[^\n]*"stake"[^\n]*\n/, ""],
    ["leaves a change of the balance out", /\{"id":"bet_1",[^\n]*"version":"2"[^\n]*\n/, ""],
    ["gives a change another amount", '"amount":"-20.00","balance"', '"amount":"-19.00","balance"'],
    ["lists a bet that no change paid for", /"id":"bet_1"(,[^\n]*"version":"2")/, '"id":"bet_99"$1'],
  ])("that %s is found", (_name, from, to) => {
    expect(checkExport(changed(from, to), [])!.faulty.length).toBeGreaterThan(0);
  });

  it("that has another head proves nothing", () => {
    const other = changed(/"kind":"head","text":"([^\\]+)\\n(\d+)/, '"kind":"head","text":"$1\\n9$2');
    const checked = checkExport(other, [])!;
    expect([checked.isSigned, checked.proven]).toEqual([false, 0]);
  });

  it("whose witness' line is false says so, and one of a witness nobody knows is not checked", () => {
    const thief = signerOf(witness.key.name, COSIGNATURE_KEY, "thief");
    const unknown = JSON.parse(text) as { log: { kind: string; text: string }[] };
    unknown.log = unknown.log.filter(({ kind }) => kind !== "witness");
    expect(checkExport(unknown, [thief.key])!.signers).toEqual([{ name: witness.key.name, at: null, isFalse: false }]);
    expect(checkExport(unknown, [witness.key])!.signers).toMatchObject([{ at: START + 9_000 }]);
    const head = unknown.log.find(({ kind }) => kind === "head")!;
    const line = head.text.trimEnd().split("\n").at(-1)!;
    const spoiled = Buffer.from(line.split(" ").at(-1)!, "base64");
    spoiled[spoiled.length - 1]! ^= 1;
    head.text = head.text.replace(line.split(" ").at(-1)!, spoiled.toString("base64"));
    expect(checkExport(unknown, [witness.key])).toMatchObject({ isSigned: false, signers: [{ isFalse: true }] });
    expect(keyText(thief.key)).not.toBe(keyText(witness.key));
  });

  it("whose head a key signed that the log never had is not signed, though that key has the log's name", async () => {
    const file = JSON.parse(text) as { log: { kind: string; text: string }[] };
    const head = file.log.find(({ kind }) => kind === "head")!;
    const thief = signerOf(w.site.publicLog.key.key.name, undefined, "thief");
    head.text = noteText(signNote({ text: parseNote(head.text)!.text, signatures: [] }, thief));
    file.log.find(({ kind }) => kind === "key")!.text = keyText(thief.key);
    expect(checkExport(file, [])).toMatchObject({ isSigned: false, isKeyShown: false, proven: 6 });
  });

  it("of another kind has no head to check against", () => {
    for (const file of [null, 1, "text", {}, { log: 1 }, { log: [1, { kind: "head" }] }])
      expect(checkExport(file, [])).toBeNull();
  });
});

describe("an export after the log's key was replaced", () => {
  let plain: World;
  beforeAll(async () => {
    plain = await world();
    await plain.game();
    const leo = await plain.player("leo_1", { balance: 100 });
    await plain.live(1_000);
    await bet(plain, leo, 10, "A,B");
    await ask(plain, "log-key:rotate", "--reason", "Once a year");
    await plain.live(60_000);
    await plain.site.publicLog.advance();
    rotated = JSON.parse((await fetchExport(plain, leo, "json")).body) as typeof rotated;
  });
  afterAll(() => plain.close());
  let rotated: { log: { kind: string; text: string; proof?: string[] }[] };

  it("shows how the key came that signed its head", () => {
    expect(rotated.log.filter(({ kind }) => kind === "change")).toHaveLength(1);
    expect(checkExport(rotated, [])).toMatchObject({ isSigned: true, isKeyShown: true, proven: 1, faulty: [] });
  });

  it("proves nothing without that, as files did before, or with another leaf", () => {
    const older = { ...rotated, log: rotated.log.filter(({ kind }) => kind !== "change") };
    expect(checkExport(older, [])).toMatchObject({ isSigned: false, isKeyShown: false, proven: 1 });
    const spoilt = structuredClone(rotated);
    const { proof } = spoilt.log.find(({ kind }) => kind === "change")!;
    proof![0] = "ab".repeat(32);
    expect(checkExport(spoilt, [])).toMatchObject({ isSigned: false, isKeyShown: true });
  });

  it("names the first key where a witness had signed a head of it last", async () => {
    await witness.leave();
    await ask(w, "log-key:rotate", "--reason", "Once a year");
    await w.live(60_000);
    await w.site.publicLog.settle();
    const { body } = await fetchExport(w, mia, "json");
    expect(checkExport(JSON.parse(body), [])).toMatchObject({ isSigned: true, isKeyShown: true, faulty: [] });
    expect(body).not.toContain('"kind":"change"');
  });
});
