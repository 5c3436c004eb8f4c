import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { uploadImage } from "#shared/contract/member.ts";
import { buyPlan } from "#shared/contract/wallet.ts";
import { luckdraw } from "#shared/contract/wheel.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { nowMs } from "../support/client.ts";
import { arm, disarm, isArmed } from "../support/failpoints.ts";
import { program } from "../support/program.ts";
import { dicer } from "../support/recompute.ts";
import { S3Server } from "../support/s3-server.ts";
import { spawnBound } from "../support/spawn-bound.ts";
import { Again } from "./again.ts";
import { audit, judge, settled, type Fault, type Played, type Report } from "./judge.ts";
import { isWhole, Operators } from "./operators.ts";
import { openSite } from "./play.ts";

/** How long a step may take to be reached, and rounds to be settled. */
const PATIENCE_MS = 180_000;
/** How often the whole audit runs, beside the one at the end. */
const AUDIT_EVERY = 25;
const MOVE_EVERY = 12;
/** So much is played at least, however few the kills are. */
const LEAST_BETS = 60;

/** Why money moves while members and operators work. */
const CODES = ["spin", "prize", "deposit", "withdraw", "plan", "credit", "withdraw-return"];
/** Each step of each money path, and of a round's life. */
const STEPS: readonly string[] = [
  "bets.place bets.placed write.stored transaction.commit write.committed transfer.withdraw-paid".split(" "),
  CODES.flatMap((code) => [`transfer.${code}`, `transferred.${code}`]),
  "round.open round.close round.draw settle.count settle.credit settle.credited settle.finish".split(" "),
  "index.piece index.finish log.number log.sign log.keep log.tell".split(" "),
].flat();

export interface KillPlan {
  kills: number;
  seed: number;
  say: (line: string) => void;
}

/** A site with its members, under load, in a process that is killed. */
class Killing {
  readonly #plan: KillPlan;
  readonly #random: () => number;
  readonly #again: Again;
  readonly #faults: Fault[] = [];
  readonly #played: Played;
  readonly #operators: Operators;
  #kills = 0;
  #startMs = 1_000;
  #moves = 0;

  constructor(plan: KillPlan, played: Played) {
    this.#plan = plan;
    this.#played = played;
    this.#again = new Again(played.load);
    this.#random = dicer(plan.seed);
    this.#operators = new Operators(played.server, dicer(plan.seed + 1));
  }

  async run(): Promise<Report> {
    const { load } = this.#played;
    load.start();
    this.#operators.start();
    while (this.#kills < this.#plan.kills && this.#faults.length === 0) {
      // Each step in turn, and as often any moment.
      if (this.#kills % 2 === 0) await this.#killAt(STEPS[(this.#kills / 2 + this.#plan.seed) % STEPS.length]!);
      else await this.#killAnywhere();
      if (this.#kills % MOVE_EVERY === 0) await this.#operators.apart(() => this.#move());
      await this.#start();
      if (this.#kills % AUDIT_EVERY === 0) this.#complain("audit", await audit(this.#played.server));
    }
    const enough = Date.now() + PATIENCE_MS;
    while (load.bets.length < LEAST_BETS && Date.now() < enough) await sleep(20);
    await load.stop();
    this.#complain("operators", await this.#operators.stop());
    this.#complain("operators", this.#operators.oddities);
    this.#complain("settling", await settled(this.#played));
    this.#faults.push(...(await judge(this.#played)));
    return { figures: this.#figures(), faults: this.#faults };
  }

  #complain(check: string, texts: string[]): void {
    for (const text of texts) this.#faults.push({ check, text });
  }

  async #killAt(step: string): Promise<void> {
    const { server } = this.#played;
    arm(`${step} crash 1`);
    const deadline = Date.now() + PATIENCE_MS;
    while (isArmed() && Date.now() < deadline) await sleep(2);
    if (isArmed()) this.#complain("steps", [`${step} was never reached`]);
    disarm();
    // It may have been an operator's command that reached it.
    await server.kill();
    this.#kills++;
    this.#plan.say(`${this.#kills} kills, the last at ${step}`);
  }

  /** At work or, now and then, while it is still starting. */
  async #killAnywhere(): Promise<void> {
    const { server } = this.#played;
    await sleep(this.#random() * Math.max(900, this.#startMs));
    await server.kill();
    this.#kills++;
    if (this.#random() > 0.3 || this.#kills >= this.#plan.kills) return;
    server.launch();
    await sleep(this.#random() * this.#startMs);
    await server.kill();
    this.#kills++;
  }

  async #start(): Promise<void> {
    const from = nowMs();
    await this.#played.server.start();
    this.#startMs = nowMs() - from;
    if (!(await this.#again.bet(from))) this.#complain("steps", ["nobody could bet after a start"]);
    const [listening, betting] = [this.#startMs, nowMs() - from].map(Math.round);
    const { length } = this.#played.load.bets;
    this.#plan.say(`  listening after ${listening} ms, betting after ${betting} ms; ${length} bets`);
  }

  /** Moves the site to a file, killed on the way; then once more, to its end. */
  async #move(): Promise<void> {
    const { server } = this.#played;
    const to = join(server.folder, `moved-${++this.#moves}.db`);
    const words = [...program("server/move.ts"), server.database, to];
    const child = spawnBound(process.execPath, words, { stdio: "ignore", env: { PATH: process.env.PATH } });
    const ended = once(child, "exit");
    await sleep(this.#random() * 2_000);
    child.kill("SIGKILL");
    const [code] = (await ended) as [number | null];
    if (code === null && existsSync(to) && !isWhole(to)) this.#complain("moves", [`${to} is damaged`]);
    rmSync(to, { force: true });
    const { code: whole, out } = await server.run("server/move.ts", server.database, to);
    if (whole !== 0 || !isWhole(to)) this.#complain("moves", [`${to}: ${whole} ${out}`]);
    rmSync(to, { force: true });
  }

  #figures(): Record<string, number> {
    const { history, load } = this.#played;
    return {
      kills: this.#kills,
      moves: this.#moves,
      bets: load.bets.length,
      topUps: load.payments.length,
      spins: history.done(luckdraw).length,
      withdrawals: history.done(setUserWithdraw).length,
      plans: history.done(buyPlan).length,
      uploads: history.done(uploadImage).length,
      requests: history.asked.length,
      unanswered: load.unanswered,
      commands: this.#operators.done,
      ...this.#again.figures(),
    };
  }
}

/** Plays under kills and judges what was told. Files lie in a folder, or in a bucket where the seed is even. */
export async function torture(plan: KillPlan): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const bucket = plan.seed % 2 === 0 ? stack.adopt(await S3Server.start(), (started) => started.close()) : null;
  const env = { ...bucket?.env(), NODE_ENV: "test", FAILPOINTS: process.env.FAILPOINTS! };
  const played = await openSite({ env });
  stack.defer(async () => {
    disarm();
    await played.close();
  });
  const { figures, faults } = await new Killing(plan, played).run();
  return { figures: { ...figures, ...(bucket && { inBucket: bucket.asked.length }) }, faults };
}
