import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { program } from "../../support/program.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Line {
  level: number;
  msg: string;
  address?: string;
  err?: { message: string };
}

/** Runs a program with pipes to its end. Every line of both must be JSON. `heard` gets each as it comes. */
async function linesOf(
  file: string,
  words: string[],
  env: Record<string, string>,
  heard: (line: Line, signal: (name: NodeJS.Signals) => void) => Promise<void> | void = () => {},
): Promise<{ code: number; lines: Line[] }> {
  const warns = `data:text/javascript,process.on("SIGUSR2", () => process.emitWarning("mind the gap"))`;
  const child = spawnBound(process.execPath, ["--import", warns, ...program(file), ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  const ended = once(child, "close") as Promise<[number]>;
  const lines: Line[] = [];
  const read = async (stream: NodeJS.ReadableStream) => {
    for await (const text of createInterface({ input: stream })) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      await heard(line, (name) => child.kill(name));
    }
  };
  try {
    await Promise.all([read(child.stdout!), read(child.stderr!)]);
  } finally {
    child.kill("SIGKILL");
  }
  return { code: (await ended)[0], lines };
}

const envOf = (more: Record<string, string> = {}) => ({ PORT: "0", DATA_DIR: folder, ...more });
const isWarning = ({ level, msg, err }: Line) =>
  level === 40 && msg === "Node warns" && err?.message === "mind the gap";

it("a server that serves, refuses, is warned and stops writes nothing but JSON", async () => {
  const env = envOf({ DEMO: "1", LOG_LEVEL: "debug" });
  const { code, lines } = await linesOf("server/main.ts", [], env, async (line, signal) => {
    if (isWarning(line)) signal("SIGTERM");
    if (line.msg !== "Trio is running") return;
    await fetch(`${line.address}/api/none`);
    await fetch(`${line.address}/api/member/doLogin`, { method: "POST", body: "{" });
    signal("SIGUSR2");
  });
  expect([code, lines.filter(({ level }) => level >= 50)]).toEqual([0, []]);
  const running = { invite: expect.any(String), publicUrl: expect.stringMatching(/^http:\/\/localhost:/) };
  expect(lines.find(({ msg }) => msg === "Trio is running")).toMatchObject(running);
  expect(lines.filter(({ msg }) => msg === "answered").length).toBeGreaterThan(1);
});

it("a server that cannot start says why in JSON", async () => {
  const { code, lines } = await linesOf("server/main.ts", [], envOf({ PORT: "many" }));
  expect([code, lines]).toEqual([
    1,
    [expect.objectContaining({ level: 60, msg: expect.stringMatching(/^Trio could not start: PORT/) })],
  ]);
});

it("a witness that looks in vain, is warned and stops writes nothing but JSON", async () => {
  const words = ["http://127.0.0.1:9", "--port", "0", "--state", join(folder, "state.json"), "--every", "1"];
  // Once: Node takes its handlers off while it ends, and the next signal of this kind would kill it.
  let isWarned = false;
  const { code, lines } = await linesOf("server/witness.ts", words, {}, (line, signal) => {
    if (isWarning(line)) signal("SIGTERM");
    if (isWarned || !line.msg.startsWith("not signed: ")) return;
    isWarned = true;
    signal("SIGUSR2");
  });
  expect(code).toBe(0);
  expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/^listens at http/));
});

it("a witness that cannot start says why in JSON", async () => {
  const { code, lines } = await linesOf(
    "server/witness.ts",
    ["http://127.0.0.1:9", "--port", "0", "--state", "/none/state.json"],
    {},
  );
  expect([code, lines]).toEqual([1, [expect.objectContaining({ level: 60, msg: expect.stringContaining("/none") })]]);
});
