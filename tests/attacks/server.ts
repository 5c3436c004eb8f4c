import { execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../support/source-files.ts";
import { spawnBound } from "../support/spawn-bound.ts";

/** A small machine's limit of open files. */
const OPEN_FILES = 1_024;
const PAGE_BYTES = 4_096;

export interface Answer {
  status: number;
  code: number;
  data: Record<string, unknown> | null;
  ms: number;
}

export interface Call {
  /** The address that it comes from, of this machine's own. */
  from?: string;
  token?: string;
  body?: string | Buffer;
  type?: string;
  patienceMs?: number;
}

/** A server of one state of the source, with the demo's data. */
export class Attacked {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    [this.port, this.#child, this.#folder] = [port, child, folder];
  }

  static async start(tree: string): Promise<Attacked> {
    const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), "trio-attacked-"))];
    const program = [process.execPath, "--import", "./server/preload.mjs", "server/main.ts"];
    const child = spawnBound("/bin/sh", ["-c", `ulimit -n ${OPEN_FILES}; exec "$@"`, "sh", ...program], {
      cwd: tree,
      env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: "silent" },
      stdio: "ignore",
    });
    const server = new Attacked(port, child, folder);
    for (let i = 0; i < 600 && (await server.ask("/healthz")).status !== 200; i++) await sleep(200);
    return server;
  }

  /** Status 0 where no answer came in time. */
  ask(path: string, { from, token, body, type, patienceMs = 60_000 }: Call = {}): Promise<Answer> {
    const beganAt = performance.now();
    const none = () => ({ status: 0, code: 0, data: null, ms: performance.now() - beganAt });
    return new Promise((resolve) => {
      const asked = request(
        {
          port: this.port,
          host: "127.0.0.1",
          path,
          method: body === undefined ? "GET" : "POST",
          ...(from && { localAddress: from }),
          headers: {
            ...(body !== undefined && { "content-type": type ?? "application/x-www-form-urlencoded" }),
            ...(token && { token: Buffer.from(token).toString("base64") }),
            "x-data-encoding": "json",
          },
          signal: AbortSignal.timeout(patienceMs),
        },
        (answer) => {
          let text = "";
          answer.on("error", () => resolve(none()));
          answer.setEncoding("utf8").on("data", (part: string) => (text += part));
          answer.on("end", () => resolve({ ...readAnswer(text), status: answer.statusCode!, ms: none().ms }));
        },
      );
      asked.on("error", () => resolve(none()));
      asked.end(body);
    });
  }

  logIn(username: string, password: string, call: Call & { device?: string } = {}): Promise<Answer> {
    const form = { username, password, ...(call.device && { device: call.device }) };
    return this.ask("/api/member/doLogin", { ...call, body: new URLSearchParams(form).toString() });
  }

  /** The memory of the server and of what it started, in MB. */
  memoryMb(): number {
    const pids = [this.#child.pid!, ...childrenOf(this.#child.pid!)];
    return pids.reduce((sum, pid) => sum + residentOf(pid), 0) / 1e6;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}

function readAnswer(text: string): Pick<Answer, "code" | "data"> {
  try {
    const { code = 0, data = null } = JSON.parse(text) as Partial<Answer>;
    return { code, data };
  } catch {
    return { code: 0, data: null };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function childrenOf(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((other) => parentOf(other) === pid);
}

const readProc = (path: string) => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`))?.[1]);
const residentOf = (pid: number) => Number(readProc(`/proc/${pid}/statm`).split(" ")[1] ?? 0) * PAGE_BYTES;

/** The source at an earlier commit, with today's packages. Returns its folder, and what removes it. */
export function treeAt(commit: string): { tree: string; remove: () => void } {
  const tree = mkdtempSync(join(tmpdir(), "trio-tree-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, stdio: "ignore" });
  git("worktree", "add", "--detach", "--force", tree, commit);
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  return { tree, remove: () => git("worktree", "remove", "--force", tree) };
}
