import { once } from "node:events";
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Client } from "../support/client.ts";
import { program } from "../support/program.ts";
import { ServerProcess } from "../support/server-process.ts";
import { spawnBound } from "../support/spawn-bound.ts";

const fatalOf = (out: string) =>
  out
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } })
    .filter(({ level }) => level === 60);

describe("a server with an unexpected failure", () => {
  it.each([
    ["throws", `throw new Error("boom")`, "nobody expected this error"],
    ["rejects", `Promise.reject(new Error("boom"))`, "nobody expected this rejection"],
  ])("a timer that %s ends it with one fatal log line", async (_, does, msg) => {
    const folder = mkdtempSync(join(tmpdir(), "trio-fatal-"));
    const fails = `data:text/javascript,setTimeout(() => { ${does} }, 1500)`;
    const env = { PATH: process.env.PATH ?? "", PORT: "0", DEMO: "0", DATA_DIR: folder };
    const child = spawnBound(process.execPath, ["--import", fails, ...program("server/main.ts")], { env });
    let [out, err] = ["", ""];
    child.stdout!.on("data", (chunk) => (out += String(chunk)));
    child.stderr!.on("data", (chunk) => (err += String(chunk)));
    expect(await once(child, "close")).toEqual([1, null]);
    expect(fatalOf(out)).toMatchObject([{ msg, err: { message: "boom" } }]);
    expect(err).toBe("");
    rmSync(folder, { recursive: true });
  });
});

function damage(log: string): void {
  if (!existsSync(log)) return;
  const file = openSync(log, "r+");
  const garbage = Buffer.alloc(Math.max(0, fstatSync(file).size - 32), "rot ");
  writeSync(file, garbage, 0, garbage.length, 32);
  closeSync(file);
}

describe("a database that is damaged under a running server", () => {
  it("is checked, and ends the server with one fatal log line", async () => {
    const server = await ServerProcess.start();
    const mia = await new Client(server.address).register("mia_1");
    const ended = once(server.launched, "close");
    let isOver = false;
    void ended.then(() => (isOver = true));
    // What a checkpoint has just moved from the log to the file is not read there again.
    while (!isOver) {
      damage(`${server.database}-wal`);
      await mia.topUp(10).catch(() => {});
    }
    expect(await ended).toEqual([1, null]);
    expect(fatalOf(server.logged.join(""))).toMatchObject([{ err: { message: expect.stringContaining("damaged") } }]);
    await server.close();
  });
});
