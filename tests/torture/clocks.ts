import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Finding } from "#shared/log/check/finding.ts";
import { ordinalOf, parseRound, placeOf, roundAt, roundsPerDay, spanOf } from "#shared/lottery/schedule.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "#shared/time.ts";
import { eventually, nowMs } from "../support/client.ts";
import { ENGINE } from "../support/databases.ts";
import { withConnection } from "../support/own-connection.ts";
import { dicer } from "../support/recompute.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { Again } from "./again.ts";
import { Apps } from "./apps.ts";
import { ClockHand } from "./clock-hand.ts";
import { judge, settled, type Fault, type Played, type Report } from "./judge.ts";
import { LyingProxy } from "./lying-proxy.ts";
import { inherited } from "./plant.ts";
import { openSite, SPEED } from "./play.ts";
import { SiteTime } from "./site-time.ts";
import { readPublicLog } from "./stranger.ts";

export interface ClockPlan {
  seed: number;
  minutes: number;
  say: (line: string) => void;
}

/** By how much a clock is set, at least and at most. */
const JUMPS: Record<string, readonly [number, number]> = {
  "hours ahead": [HOUR_MS, 12 * HOUR_MS],
  "seconds back": [-2 * SECOND_MS, -9 * SECOND_MS],
  "a day ahead": [DAY_MS, 1.5 * DAY_MS],
  "hours back": [-HOUR_MS, -12 * HOUR_MS],
  "a year ahead": [365 * DAY_MS, 390 * DAY_MS],
  "a year back": [-365 * DAY_MS, -390 * DAY_MS],
};

/** When it is set. `start`: while the server starts. `down`: while there is none. */
const MOMENTS = ["any", "closing", "drawing", "start", "down"] as const;
type Moment = (typeof MOMENTS)[number];

const PERIOD_MS = TEN_SECONDS.periodS * SECOND_MS;
const CLOSES_AFTER_MS = PERIOD_MS - TEN_SECONDS.closeS * SECOND_MS;
/** So long, in the site's ms, a game may stand still before time is moved on. */
const SOON_MS = 3 * PERIOD_MS;
const PATIENCE_MS = 180_000;
/** How long members play after a clock was set, at most. */
const PLAY_MS = 4_000;
/** What the operator is told, and has to be. */
const SAID = /"msg":"(the clock was set back|the clock is behind the newest commit)"/;

/** Members play while a server's clock is set, and set right again. */
class Clocks {
  readonly #plan: ClockPlan;
  readonly #played: Played;
  readonly #hands: ClockHand[];
  readonly #servers: ServerProcess[];
  readonly #apps: Apps;
  readonly #random: () => number;
  readonly #again: Again;
  readonly #faults: Fault[] = [];
  readonly #jumps = Object.fromEntries(Object.keys(JUMPS).map((name) => [name, 0]));
  readonly #moments = Object.fromEntries(MOMENTS.map((name) => [name, 0]));
  #startMs = 1_000;
  /** By how much the wrong clock is set. */
  #by = 0;
  #stoodStill = 0;
  #movedOnMs = 0;
  /** How much later than at first the servers' clocks began. */
  #begunLaterMs = 0;

  constructor(
    plan: ClockPlan,
    { played, ...site }: { played: Played; hands: ClockHand[]; servers: ServerProcess[]; apps: Apps },
  ) {
    this.#plan = plan;
    this.#played = played;
    this.#hands = site.hands;
    this.#servers = site.servers;
    this.#apps = site.apps;
    this.#random = dicer(plan.seed);
    this.#again = new Again(played.load);
  }

  /** Which of the servers has the clock that is set. */
  get #wrong(): number {
    return this.#servers.length - 1;
  }

  async run(): Promise<Report> {
    const { load, history, server } = this.#played;
    this.#apps.start();
    load.start();
    const names = Object.keys(JUMPS);
    const end = Date.now() + this.#plan.minutes * 60_000;
    for (let turn = 0; (Date.now() < end || turn < names.length) && this.#faults.length === 0; turn++)
      await this.#turn(names[turn % names.length]!, turn + this.#plan.seed);
    await load.stop();
    await this.#untilPaid();
    this.#complain("settling", await settled(this.#played));
    this.#complain("apps", await this.#apps.stop());
    this.#complain("verifier", await readPublicLog(server.address, { mayFind: this.#mayFind }));
    this.#faults.push(...(await judge({ ...this.#played, expects: SAID })));
    const stoodStill = { stoodStill: this.#stoodStill, movedOnHours: Math.round(this.#movedOnMs / HOUR_MS) };
    const did = { requests: history.asked.length, bets: load.bets.length };
    const figures = { ...this.#jumps, ...this.#moments, ...stoodStill, ...this.#again.figures(), ...did };
    return { figures, faults: this.#faults };
  }

  /** The clock is set, members play on or not, and it is set right. */
  async #turn(name: string, turn: number): Promise<void> {
    const [least, most] = JUMPS[name]!;
    const by = Math.round((least + this.#random() * (most - least)) / SECOND_MS) * SECOND_MS;
    const moment = MOMENTS[turn % MOMENTS.length]!;
    await this.#set(by, moment);
    this.#jumps[name]!++;
    const waitMs = await this.#waitMs(this.#played.time.shownBy(this.#wrong));
    // A server that is right beside it keeps its own time, and closes what the other opens.
    if (this.#servers.length === 1 && waitMs <= SOON_MS) await this.#bet(`${name}, ${moment}`);
    if (waitMs > SOON_MS) this.#stoodStill++;
    await sleep(this.#random() * PLAY_MS);
    const back = MOMENTS[Math.floor(this.#random() * MOMENTS.length)]!;
    await this.#set(0, back);
    await this.#moveOn();
    await this.#bet(`${name} was set right, ${back}`);
    this.#plan.say(`${name}, ${moment}, right again ${back}; ${this.#played.load.bets.length} bets`);
  }

  async #set(by: number, moment: Moment): Promise<void> {
    this.#moments[moment]!++;
    const server = this.#servers[this.#wrong]!;
    const set = () => {
      this.#setHand(this.#wrong, by);
      this.#by = by;
    };
    if (moment === "start" || moment === "down") {
      await sleep(this.#random() * 500);
      // Keys are good for a day: whoever was not answered before may not ask again after it.
      if (Math.abs(by) < DAY_MS && Math.abs(this.#by) < DAY_MS) await server.kill();
      else await server.signal("SIGTERM");
      if (moment === "down") set();
      const from = nowMs();
      const started = server.start();
      if (moment === "start") {
        await sleep(this.#random() * this.#startMs);
        set();
      }
      // Whoever is set back by a month or more while it starts may give up, and is started again, as a supervisor does.
      await started.catch(async () => {
        await server.ended();
        await server.start();
      });
      this.#startMs = nowMs() - from;
      return;
    }
    if (moment === "any") await sleep(this.#random() * (PERIOD_MS / SPEED));
    if (moment === "closing") await this.#untilWithin(CLOSES_AFTER_MS - 150, CLOSES_AFTER_MS);
    if (moment === "drawing") await this.#untilWithin(CLOSES_AFTER_MS, PERIOD_MS);
    set();
  }

  /** Resolves in that part of a round, in ms since its opening, by the clock that is set. */
  async #untilWithin(from: number, to: number): Promise<void> {
    const { time } = this.#played;
    const at = from + this.#random() * (to - from);
    for (;;) {
      const left = (at - (time.shownBy(this.#wrong) % PERIOD_MS) + PERIOD_MS) % PERIOD_MS;
      if (left < 2 * SPEED || left > PERIOD_MS - 2 * SPEED) return;
      await sleep(Math.max(1, Math.min(left / SPEED - 1, 50)));
    }
  }

  #setHand(clock: number, ms: number): void {
    this.#played.time.set(clock, ms, (by) => this.#hands[clock]!.set((by - this.#begunLaterMs) / SPEED));
  }

  /** Where a game stands still for long, its time is moved on to where it opens its next round. */
  async #moveOn(): Promise<void> {
    const { time } = this.#played;
    const waitMs = await this.#waitMs(time.right);
    if (waitMs <= SOON_MS) return;
    this.#stoodStill++;
    this.#movedOnMs += waitMs;
    await this.#letPass(Math.floor(waitMs / SECOND_MS) * SECOND_MS);
  }

  /** So much of the right time passes at once. PostgreSQL's own clock has no hand: servers begin anew, as if so much later. */
  async #letPass(ms: number): Promise<void> {
    const again = ENGINE === "postgres" ? this.#servers : [];
    await Promise.all(again.map((server) => server.signal("SIGTERM")));
    for (const server of again) server.moveOn(ms);
    if (again.length > 0) this.#begunLaterMs += ms;
    this.#played.time.moveOn(ms);
    for (const clock of this.#hands.keys()) this.#setHand(clock, 0);
    await Promise.all(again.map((server) => server.start()));
  }

  /** How long a clock that shows `now` has to go on until it shows a place of which nothing was shown: it may open. */
  #waitMs(now: number): Promise<number> {
    return withConnection(this.#played.server.database, async ({ all }) => {
      const text = "select day, number from shown_places where game_id = (select id from games where key = ?)";
      const marks = await all<{ day: number; number: number }>(text, TEN_SECONDS.key);
      const shown = new Map(marks.map(({ day, number }) => [day, number]));
      // Nothing opens of a time before the game began.
      const [first] = await all<{ at: number }>("select min(created_at) as at from odds");
      let place = roundAt(TEN_SECONDS, Math.max(now, first!.at));
      for (;;) {
        const number = shown.get(place.day) ?? 0;
        if (place.number > number) return Math.max(0, spanOf(TEN_SECONDS, place).opensAt - now);
        const last = { day: place.day, number: Math.min(number, roundsPerDay(TEN_SECONDS)) };
        place = placeOf(TEN_SECONDS, ordinalOf(TEN_SECONDS, last) + 1);
      }
    });
  }

  /**
   * A payment whose word came as the clock was set has a date that is not believed. The site asks about such an order once
   * its time is over.
   */
  async #untilPaid(): Promise<void> {
    const { server } = this.#played;
    const text = `select count(*) as count from deposits d join sandbox_checkouts c on c.order_no = d.order_no
      where d.status = 'waiting' and c.state = 'paid'`;
    const count = async () =>
      (await withConnection(server.database, ({ all }) => all<{ count: number }>(text)))[0]!.count;
    if ((await count()) === 0) return;
    await this.#letPass(HOUR_MS);
    await eventually(async () => {
      if ((await count()) > 0) throw new Error("a payment is not credited");
    }, PATIENCE_MS).catch((error: Error) => this.#complain("payments", [error.message]));
  }

  /** Without a beacon, a clock that is ahead opens rounds before their time; whoever signs by a right one says so. */
  readonly #mayFind = ({ id, facts }: Finding): boolean => {
    const place = id === "opened-early" && parseRound(String(facts.round));
    if (!place) return false;
    const { opensAt, closesAt } = spanOf(TEN_SECONDS, place);
    return this.#played.time.wasAheadIn({ from: opensAt, to: closesAt });
  };

  async #bet(when: string): Promise<void> {
    if (!(await this.#again.bet())) this.#complain("again", [`nobody could bet: ${when}`]);
  }

  #complain(check: string, texts: string[]): void {
    for (const text of texts) this.#faults.push({ check, text });
  }
}

/** Members play on a site whose clock is set; on PostgreSQL on two servers, one of which has the wrong clock. */
export async function setClocks(plan: ClockPlan): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const folder = process.env.TMPDIR ?? "/tmp";
  const hands = Array.from({ length: ENGINE === "postgres" ? 2 : 1 }, (_, i) =>
    stack.use(new ClockHand(join(folder, `hand-${process.pid}-${Date.now()}-${i}`))),
  );
  const { NODE_OPTIONS, ...plant } = inherited();
  const env = hands.map((hand) => ({ ...plant, ...hand.environment(NODE_OPTIONS) }));
  const servers: ServerProcess[] = [];
  // A jump of hours crosses midnight or not.
  const from = Date.now() + Math.floor(dicer(plan.seed)() * DAY_MS);
  const played = await openSite({ env: env[0]!, from }, async (first) => {
    servers.push(first);
    if (!env[1]) return first.address;
    servers.push(await ServerProcess.start({ sameDatabaseAs: first, env: env[1] }));
    const addresses = servers.map(({ address }) => address);
    return stack.use(await LyingProxy.before(addresses, dicer(plan.seed))).address;
  });
  stack.defer(async () => {
    await servers[1]?.close();
    await played.close();
  });
  const time = new SiteTime(played.server.clock, hands.length);
  const site = { ...played, time, beside: servers.slice(1) };
  return await new Clocks(plan, { played: site, hands, servers, apps: await Apps.open(site) }).run();
}
