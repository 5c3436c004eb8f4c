import { execFile, execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPrograms } from "#db/postgres/private-server.ts";
import { eventually } from "./client.ts";
import { CuttableProxy } from "./cuttable-proxy.ts";
import { withConnection } from "./own-connection.ts";
import { freePort } from "./free-port.ts";
import { spawnBound } from "./spawn-bound.ts";

/** A streaming replica. */
export interface Standby extends AsyncDisposable {
  url: string;
  /** From now on nothing of the primary reaches it. */
  fallBehind(): void;
  /** Makes it a primary. */
  promote(): Promise<void>;
}

const NAME = "standby";
const run = promisify(execFile);

/**
 * Starts a replica of this server. Where commits are to be synchronous, the server acknowledges nothing from then on that
 * the replica has not on its disk.
 */
export async function startStandby(primary: string, isSynchronous: boolean): Promise<Standby> {
  const link = await CuttableProxy.lay(primary);
  const near = Object.assign(new URL(primary), { port: new URL(link.address).port }).href;
  const folder = mkdtempSync(join(tmpdir(), "trio-standby-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"] : [];
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    chownSync(folder, id("-u"), id("-g"));
  }
  const program = (name: string, ...words: string[]) =>
    [...as, join(findPrograms()!, name), ...words] as [string, ...string[]];
  const [copy, ...words] = program(
    "pg_basebackup",
    "-D",
    data,
    "-d",
    `${near}?application_name=${NAME}`,
    "-R",
    "-c",
    "fast",
  );
  await run(copy, words, { cwd: "/tmp" });
  const port = String(await freePort());
  const settings = ["-c", "unix_socket_directories=", "-c", "max_connections=400", "-c", "log_min_messages=fatal"];
  const [server, ...options] = program("postgres", "-D", data, "-h", "127.0.0.1", "-p", port, ...settings);
  const child = spawnBound(server, options, { stdio: "ignore", cwd: "/tmp" });
  const url = Object.assign(new URL(primary), { port }).href;
  const follows =
    "select 1 from pg_stat_replication where application_name = ? and state = 'streaming' and sync_state = ?";
  await withConnection(primary, async ({ all, run: tell }) => {
    await tell(`alter system set synchronous_standby_names = '${isSynchronous ? NAME : ""}'`);
    await tell("select pg_reload_conf()");
    await eventually(async () => {
      if ((await all(follows, NAME, isSynchronous ? "sync" : "async")).length === 0)
        throw new Error("the replica does not follow");
    });
  });
  return {
    url,
    fallBehind: () => link.cut(),
    promote: () => withConnection(url, ({ run: tell }) => tell("select pg_promote()")),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGQUIT");
      await ended;
      await link[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
