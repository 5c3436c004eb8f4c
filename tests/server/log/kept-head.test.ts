import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeptHead } from "#server/domains/log/kept-head.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { noteText, parseNote } from "#shared/log/note.ts";
import { bytes, headNote, sha256, signerOf } from "../../log/world.ts";
import { noteAt } from "./note-at.ts";
import { program } from "../../support/program.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-head-"));
  file = join(folder, "log-head.txt");
});
afterEach(() => rmSync(folder, { recursive: true }));

const sizeIn = (text: string) => parseCheckpoint(parseNote(text)!.text)!.size;
const sizeNow = () => sizeIn(readFileSync(file, "utf8"));

describe("the head that is kept outside the database", () => {
  it("is the newest one, whoever of two that tell at once ends last", async () => {
    for (let i = 0; i < 60; i++) {
      writeFileSync(file, noteAt(8));
      const [one, other] = [new KeptHead(file), new KeptHead(file)];
      const newer = one.keep(noteAt(12));
      if (i % 3 > 0) await sleep(0);
      await Promise.all([newer, other.keep(noteAt(10)), ...(i % 2 ? [one.keep(noteAt(11))] : [])]);
      expect([sizeNow(), readdirSync(folder)]).toEqual([12, ["log-head.txt"]]);
    }
  });

  it("may be followed by one of another log, whose numbers begin again", async () => {
    const next = signerOf("house.example/next");
    await new KeptHead(file).keep(noteAt(12));
    await new KeptHead(file).keep(noteText(headNote({ size: 3, root: sha256(bytes("next")) }, next)));
    expect(sizeNow()).toBe(3);
  });

  it("is whole after any process was killed while it kept one, and the next one is kept", async () => {
    writeFileSync(file, noteAt(1));
    for (let i = 0; i < 6; i++) {
      const keepers = await Promise.all([keeper(file), keeper(file)]);
      await sleep(15 * i);
      await Promise.all(keepers.map(killed));
      expect(sizeNow()).toBeGreaterThanOrEqual(1);
    }
    const last = sizeNow();
    await new KeptHead(file).keep(noteAt(last + 2));
    await new KeptHead(file).keep(noteAt(last + 1));
    expect(sizeNow()).toBe(last + 2);
  }, 60_000);
});

/** A process that keeps one head after another, and has begun. */
async function keeper(path: string): Promise<ChildProcess> {
  const child = spawnBound(process.execPath, [...program("tests/server/log/keep-heads.ts"), path], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
