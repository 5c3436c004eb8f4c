import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { lotteryInfo, lotteryOdds } from "#shared/contract/lottery.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsText } from "#shared/lottery/odds-record.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { ratesOf } from "#shared/lottery/rules.ts";
import { entryOfLeaf, honestLog, HOUSE } from "../../log/honest-log.ts";
import { bytes } from "../../log/world.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";
import { bareEnvironment, program } from "../../support/program.ts";

export const PLAN = { hours: 3, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] };
/** The entries of an honest log. */
export const HONEST = [...honestLog(PLAN)].map(entryOfLeaf);

const GAME = { id: "lot_1", key: "k3-1m", kind: "dice-sum" };
const INFO = `/api${lotteryInfo.path}?key=${GAME.key}`;
const ODDS = `/api${lotteryOdds.path}?id=${GAME.id}`;
const answer = (data: unknown) => bytes(JSON.stringify({ code: 200, msg: "", data }));

/** What the board of the honest log's game shows, at these rates. */
function board(rates: readonly number[] = rulesOf(GAME.kind).odds) {
  const rules = rulesOf(GAME.kind);
  return rules.options.map((option, place) => {
    const own = ratesOf(rules, place, rates);
    return { type: option.type, pays: own.map(oddsText), ...chanceOf(option, own, allDraws(rules.dice)) };
  });
}

/** Runs `npm run verify`. */
export const verify = (...words: string[]) =>
  new Promise<{ exit: number | string | null | undefined; said: string }>((resolve) => {
    const all = [...program("server/verify.ts"), ...words];
    execFile(process.execPath, all, { env: bareEnvironment() }, (error, out, err) =>
      resolve({ exit: error ? error.code : 0, said: out + err }),
    );
  });

/** A site with a log of the game "k3-1m", which shows its board. */
export async function siteOf(log: MemoryLog): Promise<LogSite> {
  const site = await LogSite.listen(log);
  site.answers.set(INFO, answer(GAME)).set(ODDS, answer(board()));
  return site;
}

/** A site with that log, and a folder. Each test of the file has its own. */
export class LogGround {
  site!: LogSite;
  #folder!: string;

  constructor() {
    beforeEach(async () => {
      this.site = await siteOf(new MemoryLog(HOUSE).add(...HONEST));
      this.#folder = mkdtempSync(join(tmpdir(), "trio-log-"));
    });
    afterEach(async () => {
      await this.site.close();
      rmSync(this.#folder, { recursive: true });
    });
  }

  /** The board shows the game at other rates, or the house says nothing of it. */
  showBoard(rates: readonly number[] | null): void {
    if (rates) this.site.answers.set(ODDS, answer(board(rates)));
    else this.site.answers.delete(ODDS);
  }

  inFolder = (name: string): string => join(this.#folder, name);
  verifySite = (...words: string[]) => verify("log", "--site", this.site.address, ...words);
}
