import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONGEST_EVIDENCE } from "#shared/log/evidence/check.ts";
import { CLAIMED, PROVEN } from "../../log/evidence-of-app.ts";
import { bareEnvironment, program } from "../../support/program.ts";

const verify = (...words: string[]) =>
  new Promise<{ exit: number | string | null | undefined; out: string; err: string }>((resolve) => {
    const settings = { env: bareEnvironment() };
    execFile(process.execPath, [...program("server/verify.ts"), "evidence", ...words], settings, (error, out, err) =>
      resolve({ exit: error ? error.code : 0, out, err }),
    );
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-evidence-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function saved(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const contentOf = async (name: string) => (await PROVEN[name]!()).evidence();

describe.concurrent("whoever receives a file of evidence", () => {
  it("hears without any server what it proves by itself, and by what", async () => {
    const path = saved("fork.json", await contentOf("two heads of one size"));
    const { exit, out, err } = await verify(path);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`${path}: evidence that an app of https://house.example is said to have saved`);
    expect(out).toContain("fork, said to be found at 2026-03-02T00:00:00.000Z\n");
    expect(out).toMatch(/^ {2}PROVEN {3}Two heads of \d+ leaves have different roots, and the log's key signed both/m);
    expect(out).toMatch(/^ {2}signed {3}A head of \d+ leaves is signed by the log's key\.$/m);
    expect(out).toContain("  yes    1 of 1 findings convict the house by what it signed");
  });

  it("hears what is only claimed", async () => {
    const path = saved("dice.json", await (await CLAIMED["dice that the seed does not give"]![0]()).evidence());
    const { exit, out, err } = await verify(path);
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("  signed   A signed head holds the closing of k3-1m 20260302-0001");
    expect(err).toContain("  reckoned The dice in the result do not follow from its seed, rule and beacon.");
    expect(err).toContain("  claimed  The house told this commit or result.");
    expect(err).toContain("  NO     this file alone convicts nobody: what it claims, nobody signed\n");
  });

  it("hears that a part does not hold", async () => {
    const content = await contentOf("two balances");
    const { exit, err } = await verify(saved("changed.json", content.replace('"balance": 300', '"balance": 301')));
    expect([exit, err]).toEqual([1, expect.stringContaining("  BROKEN   A note in this finding")]);
    expect(err).toContain("  NO     a part of this file does not hold: it was changed, or is not what an app saves\n");
  });

  it("is not deceived by letters that a terminal obeys", async () => {
    const content = (await contentOf("two heads of one size")).replace("https://house.example", "\\u001b[2Jyes");
    const { out } = await verify(saved("terminal.json", content));
    expect(out).toContain("an app of ?[2Jyes is said");
  });

  it.each<[string, (path: string) => string | Uint8Array, RegExp]>([
    ["that is another program's", () => "{}\n", /refused\. It is no file of evidence/],
    ["that is no text", () => Uint8Array.of(0xff, 0xfe), /refused\. It is no text in UTF-8/],
    ["that is empty", () => "", /refused\. It is no JSON/],
  ])("hears why a file %s is refused", async (name, make, reason) => {
    const path = saved(`${name}.json`, make(name));
    const { exit, out, err } = await verify(path);
    expect([exit, out, err]).toEqual([1, "", expect.stringMatching(reason)]);
  });

  it("hears that a file is too long, and of one that is just as long as it may be what else is wrong", async () => {
    const path = saved("long.json", "");
    truncateSync(path, LONGEST_EVIDENCE);
    expect((await verify(path)).err).toContain("is refused. It is no JSON");
    truncateSync(path, LONGEST_EVIDENCE + 1);
    expect((await verify(path)).err).toContain("is refused. It is longer than any file of evidence.");
  });

  it("hears that there is no such file, and what the command wants", async () => {
    const none = join(folder, "none.json");
    expect(await verify(none)).toMatchObject({
      exit: 1,
      err: expect.stringContaining(`${none} cannot be read: ENOENT`),
    });
    expect(await verify(none, "--url", "http://house.example")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("evidence takes no options."),
    });
    expect((await verify()).exit).toBe(2);
  });
});
