import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { program } from "./support/program.ts";

describe("changes that are planted", () => {
  it("survive where nothing can notice them, and leave nothing behind for the next one", async () => {
    const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
    const env = { PATH, HOME, TMPDIR };
    const { stdout } = await promisify(execFile)(process.execPath, program("tests/mutants/planted.ts"), { env });
    const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
    const planted = lines.map((line) => JSON.parse(line) as { now: string; became: string; isGone: boolean });
    // The last three are in what a writer thread loads.
    const words = "survived killed hung survived killed survived survived killed survived";
    expect(planted.map(({ became }) => became).join(" ")).toBe(words);
    expect(planted.every(({ isGone }) => isGone)).toBe(true);
  });
});
