import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "node:crypto";
import { siteFiles } from "#server/verify/log-files.ts";
import { pollLog } from "#server/witness/poll.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { readLog } from "#shared/log/read-tiles.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { restore } from "../support/copies.ts";
import { ENGINE, newDatabase, SERVER, type TestDatabase } from "../support/databases.ts";
import { away, DrandRelay, honest } from "../support/drand-relay.ts";
import { dropDatabase } from "../support/postgres-databases.ts";
import { runCommand } from "../support/run-command.ts";
import { WitnessServer } from "../support/witness-servers.ts";
import { HouseProcess, Killed } from "./house-process.ts";
import { BEACONS, CHAIN } from "./own-beacons.ts";
import { WatchedGame } from "./watched-game.ts";

/** 2026-03-02 00:00:00 UTC. */
const START = Date.UTC(2026, 2, 2);
const MASTER_KEY = "5eed".repeat(16);
/** After a minute's beginning: rounds with a beacon have closed, then all others. */
const CLOSED_MS = [53 * SECOND_MS, 58 * SECOND_MS];
/** How often a round that is due is waited for. */
const TRIES = 600;
const STEP_MS = 50;
const LOOK_MS = 15;
const LOST_MINUTES = 3;
const TOLD_EVERY = 10;

/** What happens beside rounds, and in which minutes: `at`, and again `every` so many. */
export interface Plan {
  /** Minutes in all. */
  minutes: number;
  gamesAKind: number;
  /** Servers on the site's database. */
  houses: number;
  /** Minutes between two kills, each at a chance moment. */
  killEvery: number;
  /** The length of a chapter. Each has a pause, a beacon, checks, and at its end an hour without servers. */
  chapter: number;
  /** Chapters between two restores of an older backup. */
  restoreEvery: number;
  seed: number;
}

export interface Lived {
  rounds: Record<string, number>;
  bets: number;
  kills: number;
  restores: number;
  /** Minutes in which no relay answered. */
  away: number;
  checks: number;
  /** Steps of servers that failed, and were tried again. */
  failures: number;
  alarms: string[];
}

/** A site of three servers that lives honestly through all that may happen, watched by all who check. */
export class HonestLife {
  readonly #plan: Plan;
  readonly #say: (text: string) => void;
  readonly #folder = mkdtempSync(join(tmpdir(), "trio-honest-"));
  readonly #houses: HouseProcess[] = [];
  readonly #games: WatchedGame[] = [];
  #database!: TestDatabase;
  #relay!: DrandRelay;
  #witness!: WitnessServer;
  #now = START;
  #random: number;
  #isAway = false;
  #hasBeacon = false;
  readonly #lost: Record<string, number> = {};
  readonly lived: Lived = { rounds: {}, bets: 0, kills: 0, restores: 0, away: 0, checks: 0, failures: 0, alarms: [] };

  constructor(plan: Plan, say: (text: string) => void) {
    this.#plan = plan;
    this.#say = say;
    this.#random = plan.seed;
  }

  async live(): Promise<Lived> {
    try {
      await this.#begin();
      for (let minute = 0; minute < this.#plan.minutes; minute++) {
        await this.#minute(minute);
        if ((minute + 1) % this.#plan.chapter === 0) await this.#chapter((minute + 1) / this.#plan.chapter);
      }
      await this.#check();
      return this.lived;
    } finally {
      await this.#end();
    }
  }

  /** The same numbers each time, for the same seed (Park and Miller, 1988). */
  #chance(below: number): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random % below;
  }

  async #begin(): Promise<void> {
    const now = () => this.#now;
    this.#relay = await DrandRelay.start(away);
    this.#answer(false);
    this.#witness = await WitnessServer.start(this.#folder, { now, elapsed: now });
    this.#database = await newDatabase(join(this.#folder, "data"));
    for (let i = 0; i < this.#plan.houses; i++) this.#houses.push(new HouseProcess(this.#environment(i)));
    await this.#startAll();
    await this.#first.ask("addGames", this.#newGames());
    await this.#all();
    const names = this.#newGames().map(({ key }) => key);
    for (const key of names) {
      const token = await this.#first.ask("enter", `phone-${key}`);
      this.#games.push(await WatchedGame.begin(key, { token, address: this.#any().address, now, beacons: BEACONS }));
    }
  }

  #environment(index: number): Record<string, string> {
    return {
      DATA_DIR: join(this.#folder, "data"),
      HEAD_FILE: join(this.#folder, `head-${index}.txt`),
      PORT: "0",
      DEMO: "0",
      RATE_LIMIT: "off",
      MASTER_KEY,
      BEACON_RELAYS: this.#relay.url,
      WITNESSES: this.#witness.named,
    };
  }

  #newGames = () =>
    [...GAME_KINDS.keys()].flatMap((kind) =>
      Array.from({ length: this.#plan.gamesAKind }, (_, i) => {
        const key = `${kind}-${i + 1}`;
        return { key, name: key, kind, periodS: 60, closeS: 3 };
      }),
    );

  #answer(isAway: boolean): void {
    this.#isAway = isAway;
    this.#relay.answer = isAway ? away : honest(CHAIN, () => this.#now);
  }

  get #first(): HouseProcess {
    return this.#houses[0]!;
  }

  #any(): HouseProcess {
    const running = this.#houses.filter(({ runs }) => runs);
    return running[this.#chance(running.length)]!;
  }

  #alarm(who: string, says: readonly string[]): void {
    for (const one of says) {
      this.lived.alarms.push(`${who}: ${one}`);
      this.#say(`ALARM ${who}: ${one}`);
    }
  }

  async #startAll(): Promise<void> {
    for (const house of this.#houses) await house.start(this.#now, this.#database.env);
  }

  async #killAll(): Promise<void> {
    await Promise.all(this.#houses.map((house) => house.kill()));
  }

  /** Every server lives at once. One of them may be killed meanwhile, and started again. */
  async #all(isDoomed = false): Promise<void> {
    const doomed = this.#houses[this.#chance(this.#houses.length)]!;
    const afterMs = this.#chance(60);
    const living = Promise.all(this.#houses.map((house) => house.ask("live", this.#now).catch(passOver)));
    if (isDoomed) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await doomed.kill();
      this.lived.kills++;
    }
    await living;
    if (isDoomed) {
      await doomed.start(this.#now, this.#database.env);
      await this.#reconnect();
    }
  }

  async #to(time: number, isDoomed = false): Promise<void> {
    this.#now = Math.max(this.#now, time);
    await this.#all(isDoomed);
    await Promise.all(this.#games.map((game) => game.hear()));
  }

  async #reconnect(): Promise<void> {
    const running = new Set(this.#houses.map(({ address }) => address));
    for (const game of this.#games) if (!running.has(game.address)) await game.connect(this.#any().address);
  }

  async #minute(minute: number): Promise<void> {
    const begins = Math.ceil(this.#now / MINUTE_MS) * MINUTE_MS;
    const steps = [SECOND_MS, ...CLOSED_MS].map((ms) => begins + ms);
    const doomed = (minute + 1) % this.#plan.killEvery === 0 ? this.#chance(steps.length) : null;
    for (const [step, time] of steps.entries()) {
      await this.#to(time, step === doomed);
      if (step > 0) continue;
      await this.#drawn();
      await this.#happen(minute % this.#plan.chapter);
      for (const game of this.#games) this.lived.bets += await game.bet(this.#any().address, (n) => this.#chance(n));
    }
    if (this.#isAway) this.lived.away++;
    if ((minute + 1) % TOLD_EVERY === 0) this.#say(`minute ${minute + 1}`);
  }

  /** A chapter ends with checks, and with an hour without any server; after some of them an older backup is there. */
  async #chapter(ended: number): Promise<void> {
    await this.#check();
    const isRestored = ended % this.#plan.restoreEvery === 0;
    if (isRestored) await this.#losing();
    await this.#killAll();
    if (isRestored) await this.#restore();
    this.#now += HOUR_MS;
    await this.#startAll();
    await this.#reconnect();
    await this.#to(this.#now + SECOND_MS);
    const { kills, alarms, failures } = this.lived;
    this.#say(`chapter ${ended}: ${kills} kills, ${failures} failed steps, ${alarms.length} alarms`);
  }

  /** Waits for the rounds that are due, unless they wait for a beacon that nobody has. */
  async #drawn(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { due } = await this.#any().ask("progress");
      if (due === 0 || (this.#isAway && this.#hasBeacon)) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await this.#to(this.#now + STEP_MS);
    }
    this.#alarm("clock", ["a round was not drawn"]);
  }

  /** What a chapter has, at its parts. */
  async #happen(minute: number): Promise<void> {
    const at = (part: number) => Math.floor(this.#plan.chapter * part) === minute;
    if (at(0.1)) await this.#first.ask("pause", this.#games[0]!.key, true);
    if (at(0.2)) await this.#first.ask("pause", this.#games[0]!.key, false);
    if (at(0.2)) await this.#follow(true);
    if (at(0.5)) this.#answer(true);
    if (at(0.6)) this.#answer(false);
    if (at(0.7)) await this.#follow(false);
    if (minute % 7 === 0) await this.#any().ask("seal").catch(passOver);
    if (minute % 11 === 0) for (const game of this.#games) await game.readChain();
    if (minute % 13 === 0) await this.#look();
  }

  async #follow(isDrand: boolean): Promise<void> {
    await this.#first.ask("follow", isDrand);
    this.#hasBeacon = true;
  }

  /** A backup, and rounds after it that will be lost. */
  async #losing(): Promise<void> {
    rmSync(this.#backup, { force: true });
    await this.#first.ask("backup", this.#backup);
    const before = (await this.#first.ask("progress")).drawn;
    for (let minute = 0; minute < LOST_MINUTES; minute++) await this.#minute(0);
    const after = (await this.#first.ask("progress")).drawn;
    for (const [key, drawn] of Object.entries(after))
      this.#lost[key] = (this.#lost[key] ?? 0) + drawn - (before[key] ?? 0);
  }

  /** The backup is put back, and the house says so. */
  async #restore(): Promise<void> {
    await this.#putBack(this.#backup);
    const env = { ...this.#environment(0), ...this.#database.env };
    const { exit, err } = await runCommand(env, ["restored", "--reason", "The disk failed"]);
    if (exit !== 0) throw new Error(err);
    this.lived.restores++;
    for (const game of this.#games) game.mayFind("restored");
  }

  get #backup(): string {
    return join(this.#folder, "backup");
  }

  async #putBack(file: string): Promise<void> {
    if (ENGINE === "postgres") {
      await this.#database.drop();
      const url = await restore(file);
      this.#database = { env: { DATABASE_URL: url }, drop: () => dropDatabase(SERVER, url) };
      return;
    }
    const place = join(this.#folder, "data", "trio.db");
    for (const end of ["", "-wal", "-shm"]) rmSync(`${place}${end}`, { force: true });
    copyFileSync(file, place);
  }

  /** The witness looks at the log as a polling one does. */
  async #look(): Promise<void> {
    const said: string[] = [];
    const { witness, state } = this.#witness;
    const files = siteFiles(this.#any().address);
    await pollLog({ witness, state, files, say: (text) => void said.push(text) });
    const isFine = (text: string) => /^signed |^This is another log/.test(text);
    this.#alarm(
      "witness",
      [...said, ...this.#witness.said.splice(0)].filter((text) => !isFine(text)),
    );
  }

  /** Everybody checks everything. */
  async #check(): Promise<void> {
    this.lived.checks++;
    await this.#look();
    const files = siteFiles(this.#first.address);
    const reading = { hash: (bytes: Uint8Array) => hash("sha256", bytes, "buffer"), kept: null };
    const { findings } = await readLog(files, { ...reading, beacons: drandCheck(BEACONS.chains) });
    this.#alarm("stranger", findings.filter(({ strength }) => strength === "problem").map(sentenceOf));
    this.#alarm("audit", await this.#first.ask("audit"));
    for (const game of this.#games) this.#alarm(`phone of ${game.key}`, await game.found());
    for (const house of this.#houses) this.lived.failures += (await house.ask("failures")).length;
    const { drawn } = await this.#first.ask("progress");
    for (const { key } of this.#games) this.lived.rounds[key] = (drawn[key] ?? 0) + (this.#lost[key] ?? 0);
  }

  async #end(): Promise<void> {
    for (const game of this.#games) game.close();
    await this.#killAll();
    await this.#relay.stop();
    await this.#witness.leave();
    await this.#database.drop();
    rmSync(this.#folder, { recursive: true });
  }
}

/** A server that is killed answers nothing. Everything else is a failure. */
function passOver(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}
