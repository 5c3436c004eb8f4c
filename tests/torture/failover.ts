import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually, nowMs } from "../support/client.ts";
import type { CuttableProxy } from "../support/cuttable-proxy.ts";
import { freePort } from "../support/free-port.ts";
import type { PrivatePostgres } from "../support/postgres-server.ts";
import { Proxy, PROXY_CONFIG } from "../support/proxy.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Apps } from "./apps.ts";
import { judge, settled, type Fault, type Played, type Report } from "./judge.ts";
import { forgetLost } from "./lost.ts";
import { openSite } from "./play.ts";
import { readPublicLog } from "./stranger.ts";
import { startStandby, type Standby } from "../support/standby.ts";

export interface FailOverPlan {
  own: PrivatePostgres;
  way: CuttableProxy;
  say: (line: string) => void;
}

/** Two servers, PostgreSQL, its replica and HAProxy keep up with rounds at their own pace on a busy machine too. */
const SPEED = 1;
/** How many bets members place before each thing that happens. */
const BETS = 20;
const PATIENCE_MS = 300_000;
/** How long servers are watched that wait for the operator. */
const WAIT_MS = 2_000;
/** How long it may take from the operator's word until members are served, on a machine that has no time either. */
const AGAIN_MS = 15_000;
const REASON = "A replica that was behind was promoted";
/** What apps may say after a loss: the house says it too. */
const SAID = new Set(["found: restored", "found: chainLost"]);
/** What servers are to say to the operator, and that they end. */
const EXPECTED = /"reason":"lost"|"the database writer ended"/;

/** Members play behind HAProxy, on two servers whose PostgreSQL dies. */
class FailOver {
  readonly #plan: FailOverPlan;
  readonly #played: Played;
  readonly #servers: ServerProcess[];
  readonly #standby: Standby;
  readonly #apps: Apps;
  readonly #faults: Fault[] = [];
  readonly figures: Record<string, number> = {};
  #isOver = false;

  constructor(plan: FailOverPlan, site: { played: Played; servers: ServerProcess[]; standby: Standby; apps: Apps }) {
    this.#plan = plan;
    this.#played = site.played;
    this.#servers = site.servers;
    this.#standby = site.standby;
    this.#apps = site.apps;
  }

  async run(isSynchronous: boolean): Promise<Report> {
    try {
      return await this.#run(isSynchronous);
    } finally {
      this.#isOver = true;
    }
  }

  async #run(isSynchronous: boolean): Promise<Report> {
    const { load } = this.#played;
    for (const server of this.#servers)
      this.#keepUp(server).catch((error: Error) => this.#complain("servers", error.message));
    this.#apps.start();
    load.start();
    await this.#bets(BETS);
    if (!isSynchronous) {
      this.#standby.fallBehind();
      await this.#bets(BETS);
      // Heads that the replica has not are public, too.
      await this.#round();
    }
    await this.#plan.own.crash();
    await this.#standby.promote();
    // Until now the old primary alone could acknowledge.
    const diedMs = nowMs();
    this.#plan.way.turn(this.#standby.url);
    this.#plan.say(`the replica was promoted after ${load.bets.length} bets`);
    if (!isSynchronous) await this.#restore(diedMs);
    await this.#bets(BETS);
    return this.#judge(isSynchronous);
  }

  /** A supervisor: it starts a server again that has ended. */
  async #keepUp(server: ServerProcess): Promise<void> {
    for (;;) {
      await once(server.launched, "exit");
      await server.ended();
      if (this.#isOver) return;
      await server.start();
    }
  }

  #bets(more: number): Promise<void> {
    const { bets } = this.#played.load;
    const enough = bets.length + more;
    return eventually(async () => {
      if (bets.length < enough) throw new Error(`members placed ${bets.length} bets, not ${enough}`);
    }, PATIENCE_MS);
  }

  /** Resolves when the next round's closing is public. */
  async #round(): Promise<void> {
    const heads = () => this.#played.devices[0]!.count("lottery:result");
    const enough = heads() + 1;
    await eventually(async () => {
      if (heads() < enough) throw new Error("no round was drawn");
    }, PATIENCE_MS);
  }

  /** Nobody is served until the operator has said what happened. What was lost is taken out of what was told. */
  async #restore(diedMs: number): Promise<void> {
    const { load, server } = this.#played;
    const before = load.bets.length;
    await sleep(WAIT_MS);
    if (load.bets.length > before) this.#complain("waiting", "bets were taken before the operator's word");
    this.figures.lost = await forgetLost(this.#played, diedMs);
    if (this.figures.lost === 0) this.#complain("lost", "nothing was lost, so nothing was tried");
    for (const device of this.#played.devices) device.forget();
    const { code, out } = await server.command("restored", "--reason", REASON);
    if (code !== 0) throw new Error(out);
    const saidMs = nowMs();
    const { asked } = this.#played.history;
    const first = asked.length;
    await eventually(async () => {
      if (!asked.slice(first).some(({ answer }) => answer?.code === 200)) throw new Error("nobody is served");
    }, PATIENCE_MS);
    this.figures.servedMs = Math.round(nowMs() - saidMs);
    await this.#bets(1);
    this.figures.betMs = Math.round(nowMs() - saidMs);
    if (this.figures.servedMs > AGAIN_MS)
      this.#complain("again", `members were served after ${this.figures.servedMs} ms`);
  }

  async #judge(isSynchronous: boolean): Promise<Report> {
    const { load, history, server } = this.#played;
    await load.stop();
    for (const text of await settled(this.#played)) this.#complain("settling", text);
    for (const text of await this.#apps.stop()) if (isSynchronous || !SAID.has(text)) this.#complain("apps", text);
    for (const text of await readPublicLog(server.address, { restores: isSynchronous ? 0 : 1 }))
      this.#complain("verifier", text);
    this.#complainOfEpochs(isSynchronous ? 1 : 2);
    const expects = isSynchronous ? undefined : EXPECTED;
    this.#faults.push(...(await judge({ ...this.#played, ...(expects && { expects, hasLost: true }) })));
    return {
      figures: { ...this.figures, bets: load.bets.length, requests: history.asked.length },
      faults: this.#faults,
    };
  }

  /** In another epoch apps fetch all that they show anew. */
  #complainOfEpochs(expected: number): void {
    for (const { epochs, member } of this.#played.devices)
      if (epochs.size !== expected) this.#complain("epochs", `member ${member} was told ${epochs.size}`);
  }

  #complain(check: string, text: string): void {
    this.#faults.push({ check, text });
  }
}

/**
 * The primary dies under load, and its replica is promoted. One that was synchronous has all that was acknowledged. One that
 * was behind has not: the servers wait until the operator says so, and the log says it to everybody.
 */
export async function failOver(plan: FailOverPlan, isSynchronous: boolean): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const servers: ServerProcess[] = [];
  let standby: Standby | null = null;
  // After the site, which leaves its database there.
  stack.defer(() => standby?.[Symbol.asyncDispose]());
  const port = await freePort();
  // Both are one site, with one name.
  const env = { TRUST_PROXY: "127.0.0.1", PUBLIC_URL: `http://127.0.0.1:${port}` };
  const played = await openSite({ env, speed: SPEED }, async (first) => {
    const ownHead = { HEAD_FILE: join(first.folder, "head-2.txt") };
    servers.push(first, await ServerProcess.start({ sameDatabaseAs: first, env: { ...env, ...ownHead } }));
    const proxy = await Proxy.start(
      servers.map(({ address }) => address),
      PROXY_CONFIG,
      port,
    );
    stack.defer(() => proxy.close());
    return proxy.address;
  });
  stack.defer(async () => {
    await servers[1]!.close();
    await played.close();
  });
  standby = await startStandby(plan.own.url, isSynchronous);
  const apps = await Apps.open(played);
  return await new FailOver(plan, { played, servers, standby, apps }).run(isSynchronous);
}

/** A replica that is behind, and then a synchronous one of the old primary, which recovers in between. */
export async function failOverTwice(plan: FailOverPlan): Promise<Report> {
  const behind = await failOver(plan, false);
  await plan.own.start();
  plan.way.turn(plan.own.url);
  const synchronous = await failOver(plan, true);
  const named = Object.entries(synchronous.figures).map(([name, figure]) => [`${name}Synchronous`, figure]);
  return {
    figures: { ...behind.figures, ...(Object.fromEntries(named) as Report["figures"]) },
    faults: [...behind.faults, ...synchronous.faults],
  };
}
