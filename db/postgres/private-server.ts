import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";

const DEBIAN = "/usr/lib/postgresql";
const READY_TIMEOUT_MS = 30_000;
const SETTINGS = ["max_connections=400", "shared_buffers=256MB", "unix_socket_directories=", "log_min_messages=fatal"];

export interface PostgresServer {
  /** The address of its maintenance database, with a role that may create databases. */
  url: string;
  stop(): Promise<void>;
}

/** A server that a test may crash and freeze. */
export interface PrivatePostgres extends PostgresServer {
  /** Ends it at once, like a failing machine. Its connections break. */
  crash(): Promise<void>;
  /** Starts it again, with the same data and address. */
  start(): Promise<void>;
  /** Suspends it: queries get no answer and no error. */
  freeze(): void;
  thaw(): void;
}

/** The folder of the newest PostgreSQL programs on this machine: initdb, postgres, pgbench and others. */
export function findPrograms(): string | undefined {
  const version = (folder: string) => Number.parseInt(folder, 10);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => version(a) - version(b)) : [];
  return versions.map((name) => join(DEBIAN, name, "bin")).findLast((folder) => existsSync(join(folder, "initdb")));
}

/** Starts an empty PostgreSQL on a free port. `stop` removes it. It is durable unless `settings` say otherwise. */
export async function startPrivate(programs: string, settings: string[] = []): Promise<PrivatePostgres> {
  const port = await freePort();
  const user = process.getuid?.() === 0 ? "postgres" : undefined;
  const folder = mkdtempSync(join(tmpdir(), "trio-postgres-"));
  if (user) chownSync(folder, ...idsOf(user));
  const as = (name: string, ...args: string[]): [string, string[]] => {
    const program = join(programs, name);
    const owner = user ? ["--reuid", user, "--regid", user, "--init-groups"] : [];
    // It ends with this process, however that ends.
    return ["setpriv", [...owner, "--pdeathsig", "QUIT", "--", program, ...args]];
  };
  const init = as("initdb", "-D", folder, "-U", "trio", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
  execFileSync(...init, { stdio: "pipe", cwd: "/tmp" });
  const options = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  const run = as("postgres", "-D", folder, "-h", "127.0.0.1", "-p", String(port), ...options);
  const url = `postgres://trio@127.0.0.1:${port}/postgres`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(...run, { stdio: "ignore", cwd: "/tmp" });
    await untilReady(url);
  };
  const signal = (name: NodeJS.Signals) => processesOf(child.pid!).forEach((pid) => process.kill(pid, name));
  await start();
  return {
    url,
    start,
    crash: () => end(child),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL's immediate shutdown: it finishes nothing, and the next start recovers. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGQUIT");
  await ended;
}

/** A server's main process and its children. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return [pid, ...children.map(Number)];
}

function idsOf(user: string): [number, number] {
  const id = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return [id("-u"), id("-g")];
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(100);
    }
  }
}
