import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canStart } from "./support/postgres-server.ts";
import { program } from "./support/program.ts";
import { runFolder } from "./support/run-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-interrupted-"));
  // PostgreSQL has its own user.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A zombie has ended, too: nobody has asked yet how. */
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

async function listens(port: number): Promise<boolean> {
  const attempt = connect(port, "127.0.0.1");
  const listening = await once(attempt, "connect").then(
    () => true,
    () => false,
  );
  attempt.destroy();
  return listening;
}

describe("a run of tests that is killed", () => {
  it.runIf(process.platform === "linux" && canStart())("leaves no server and no PostgreSQL behind", async () => {
    const env = { ...process.env, TMPDIR: folder };
    const run = spawn(process.execPath, program("tests/support/left-behind.ts"), { env, stdio: ["ignore", "pipe", 2] });
    const [said] = (await once(run.stdout!, "data")) as [Buffer];
    const { server, postgres } = JSON.parse(String(said)) as { server: number; postgres: number };
    expect([isAlive(server), await listens(postgres)]).toEqual([true, true]);
    run.kill("SIGKILL");
    await expect.poll(() => isAlive(server)).toBe(false);
    await expect.poll(() => listens(postgres)).toBe(false);
  });

  it("leaves files that the next run removes", async () => {
    const left = `import { runFolder } from "${new URL("support/run-folder.ts", import.meta.url).href}";
      console.log(runFolder(${JSON.stringify(folder)})); process.kill(process.pid, "SIGKILL");`;
    const run = spawn(process.execPath, ["--input-type=module-typescript", "--eval", left]);
    const [said] = (await once(run.stdout, "data")) as [Buffer];
    await once(run, "exit");
    const before = String(said).trim();
    expect(existsSync(before)).toBe(true);
    runFolder(folder);
    expect(existsSync(before)).toBe(false);
  });
});
