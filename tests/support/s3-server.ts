import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as askHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { readS3Config, type S3Config } from "#server/storage/s3-config.ts";
import { nowMs } from "./client.ts";
import { spawnBound } from "./spawn-bound.ts";

const PROGRAM = fileURLToPath(new URL("s3-store.ts", import.meta.url));
export const BUCKET = "trio";
/** The key that the server accepts, as id and as secret. */
const KEY = "S3RVER";

/** A request as the store saw it; `cut` once the client has gone before the end of the answer. */
export interface Asked {
  method: string;
  path: string;
  cut: boolean;
  /** When the store had done it, in ms since the epoch; null where it refused or did not answer. */
  doneMs: number | null;
}

/** Answers a request in the store's place when it returns true. */
export type Trouble = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A real S3 server in its own process, behind a proxy that a test can make fail. */
export class S3Server {
  readonly asked: Asked[] = [];
  trouble: Trouble | null = null;
  readonly #folder = mkdtempSync(join(tmpdir(), "trio-s3-"));
  readonly #store: ChildProcess;
  readonly #line: Server;
  #storePort = 0;

  private constructor() {
    // S3rver encrypts a list's continuation token with a cipher that OpenSSL counts as old.
    this.#store = spawnBound(process.execPath, ["--openssl-legacy-provider", PROGRAM, this.#folder, BUCKET], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#line = createServer((request, response) => {
      const { method, url } = request;
      const asked: Asked = { method: method!, path: url!, cut: false, doneMs: null };
      this.asked.push(asked);
      response.once("close", () => (asked.cut = !response.writableFinished));
      if (!this.trouble?.(request, response)) this.#pass(request, response, () => (asked.doneMs = nowMs()));
    });
  }

  static async start(): Promise<S3Server> {
    const it = new S3Server();
    const [output] = (await once(it.#store.stdout!, "data")) as [Buffer];
    it.#storePort = Number(output);
    it.#line.listen(0, "127.0.0.1");
    await once(it.#line, "listening");
    return it;
  }

  /** A server's environment to store its files here, below a prefix. */
  env(prefix = "club"): Record<string, string> {
    const { port } = this.#line.address() as AddressInfo;
    return {
      STORAGE: `s3://${BUCKET}/${prefix}`,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    };
  }

  place(prefix?: string): S3Config {
    const env = this.env(prefix);
    return readS3Config((name) => env[name])!;
  }

  async close(): Promise<void> {
    this.#line.closeAllConnections();
    this.#line.close();
    const ended = once(this.#store, "exit");
    this.#store.stdin!.end();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }

  #pass(request: IncomingMessage, response: ServerResponse, done: () => void): void {
    const { method, url: path, headers } = request;
    const asking = askHttp({ host: "127.0.0.1", port: this.#storePort, method, path, headers }, (answer) => {
      if (answer.statusCode! < 400) done();
      response.writeHead(answer.statusCode!, answer.headers);
      pipeline(answer, response, () => {});
    });
    asking.on("error", () => response.destroy());
    response.once("close", () => asking.destroy());
    request.pipe(asking);
  }
}
