import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { entryOfLeaf, honestLog, HOUSE } from "../../log/honest-log.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";
import { bareEnvironment, program } from "../../support/program.ts";

export const PLAN = { hours: 3, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] };
/** The entries of an honest log. */
export const HONEST = [...honestLog(PLAN)].map(entryOfLeaf);

/** Runs `npm run verify`. */
export const verify = (what: "log" | "evidence", ...words: string[]) =>
  new Promise<{ exit: number | string | null | undefined; said: string }>((resolve) => {
    const all = [...program("server/verify.ts"), what, ...words];
    execFile(process.execPath, all, { env: bareEnvironment() }, (error, out, err) =>
      resolve({ exit: error ? error.code : 0, said: out + err }),
    );
  });

/** A site with that log, and a folder. Each test of the file has its own. */
export class LogGround {
  site!: LogSite;
  #folder!: string;

  constructor() {
    beforeEach(async () => {
      this.site = await LogSite.listen(new MemoryLog(HOUSE).add(...HONEST));
      this.#folder = mkdtempSync(join(tmpdir(), "trio-log-"));
    });
    afterEach(async () => {
      await this.site.close();
      rmSync(this.#folder, { recursive: true });
    });
  }

  inFolder = (name: string): string => join(this.#folder, name);
  verifySite = (...words: string[]) => verify("log", "--site", this.site.address, ...words);
}
