import { execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemBase } from "#shared/contract/site.ts";
import { Client, eventually } from "../../support/client.ts";
import { freePort } from "../../support/free-port.ts";
import { finish, runInside, whyNotHere } from "./container.ts";
import { readStages, settingsOf } from "./dockerfile.ts";
import { ImageBuild } from "./image.ts";

/** The image's own temporary folder, as in compose.yaml. */
const SCRATCH = "/tmp";

const { user, folder, env, command, health, stopSignal } = settingsOf(readStages(), "last");

const WITHOUT = whyNotHere ? ` (SKIPPED: ${whyNotHere})` : "";
if (whyNotHere) console.warn(`The image was not run${WITHOUT}.`);

/**
 * With IMAGE=registry the packages come from there, by the Dockerfile's own commands; else from this machine's
 * folder.
 */
describe.skipIf(whyNotHere)(`the image, built in a folder and run as a container would${WITHOUT}`, () => {
  let work: string;
  let root: string;
  let server: ChildProcess;
  let port: number;

  const inside = () => ({ root, writable: ["/data"], user, folder, env: { ...env, PORT: String(port) } });
  const run = (...words: string[]) => finish(runInside(inside(), words));

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "trio-image-"));
    root = await new ImageBuild(join(work, "stages"), process.env.IMAGE === "registry").build();
    port = await freePort();
  }, 900_000);
  afterAll(async () => {
    if (server?.exitCode === null) server.kill("SIGKILL");
    rmSync(work, { recursive: true });
  });

  it("is small", () => {
    const megabytes = (path: string) =>
      Number(execFileSync("du", ["-sm", join(root, "app", path)], { encoding: "utf8" }).split("\t")[0]);
    const sizes = ["node_modules", "dist", "db", "server", "shared", "locales", ""].map((path) => [
      path,
      megabytes(path),
    ]);
    console.warn(`the image's own part, in MB: ${JSON.stringify(Object.fromEntries(sizes))}`);
    expect(megabytes("")).toBeLessThan(200);
  });

  it("lets no process write except to the data and /tmp", async () => {
    for (const path of ["/app/x", "/app/node_modules/x", "/etc/x", "/x"]) {
      const { code, output } = await run("touch", path);
      expect([code, output]).toEqual([1, expect.stringMatching(/Read-only file system|Permission denied/)]);
    }
    expect(await run("touch", "/data/x", join(SCRATCH, "x"))).toEqual({ code: 0, output: "" });
    expect((await run("id", "-u")).output).toBe("1000\n");
    expect((await run("grep", "-E", "^Cap(Eff|Bnd)", "/proc/self/status")).output).not.toMatch(/[1-9a-f]\n/);
  });

  it("has a health check that fails while nothing runs", async () => {
    expect((await run(...health)).code).toBe(1);
  });

  it("has everything that the operator's commands need", async () => {
    const { code, output } = await run(...command.slice(0, -1), "server/admin/main.ts", "--help");
    expect(output).toContain("audit");
    expect(code).toBe(0);
  });

  it("serves, is healthy, and exits with 0 on its stop signal", { timeout: 60_000 }, async () => {
    server = runInside({ ...inside(), env: { ...inside().env, HOST: "127.0.0.1", DEMO: "0" } }, command);
    const ended = finish(server);
    const healthy = eventually(async () => expect((await run(...health)).code).toBe(0), 50_000);
    const early = ended.then(({ output }) => expect.fail(`it ended: ${output}`));
    early.catch(() => {});
    await Promise.race([healthy, early]);
    const address = `http://127.0.0.1:${port}`;
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await (await fetch(address, { headers: { accept: "text/html" } })).text()).toContain("<script");
    expect((await new Client(address).ask(systemBase)).code).toBe(200);
    server.kill(stopSignal as "SIGTERM");
    expect(await ended).toMatchObject({ code: 0 });
    expect((await run(...health)).code).toBe(1);
  });
});
