import { once } from "node:events";
import { chmodSync, globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { program } from "../support/program.ts";
import { spawnCommand } from "../support/run-command.ts";
import { spawnBound } from "../support/spawn-bound.ts";

let folder: string;
let data: string;
let env: Record<string, string>;
/** As in most shells: without our doing, everybody on the machine might read what is made. */
const before = process.umask(0o022);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-private-"));
  data = join(folder, "data");
  env = { PATH: process.env.PATH ?? "", DATA_DIR: data, PORT: "0", DEMO: "0" };
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.umask(before);
});

/** What others on the machine may do with anything in the data folder, or the folder itself. */
const open = () =>
  ["", ...globSync("**/*", { cwd: data })]
    .map((name) => [name, statSync(join(data, name)).mode & 0o077] as const)
    .filter(([, rights]) => rights !== 0);

it("a command before the first start leaves the database to its user alone", async () => {
  process.umask(0o022);
  expect(await spawnCommand(env, ["invite:add", "LOTUS-26"])).toMatchObject({ exit: 0 });
  expect(globSync("trio.db*", { cwd: data })).not.toEqual([]);
  expect(open()).toEqual([]);
});

/** Starts the server and waits for what it says. */
async function hear(said: string, more: Record<string, string> = {}): Promise<string> {
  const all = { ...env, ...more };
  const server = spawnBound(process.execPath, program("server/main.ts"), {
    env: all,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let heard = "";
    for await (const text of server.stdout!) if ((heard += String(text)).includes(said)) return heard;
    throw new Error(heard);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

it("a server that members reach without TLS says so", async () => {
  const warning = "PUBLIC_URL is not https";
  expect(await hear(warning, { PUBLIC_URL: "http://club.example" })).toContain(warning);
});

it("so does a server, and it closes what an older release left open", async () => {
  process.umask(0o022);
  await spawnCommand(env, ["invite:add", "LOTUS-26"]);
  chmodSync(join(data, "trio.db"), 0o644);
  await hear("Trio is running");
  expect(globSync("master.key", { cwd: data })).toHaveLength(1);
  expect(open()).toEqual([]);
});
