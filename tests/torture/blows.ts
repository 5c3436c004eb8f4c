import { setTimeout as sleep } from "node:timers/promises";
import type { PrivatePostgres } from "../support/postgres-server.ts";
import { openConnection, withConnection } from "../support/own-connection.ts";
import { dicer } from "../support/recompute.ts";
import { Again } from "./again.ts";
import { judge, settled, type Fault, type Played, type Report } from "./judge.ts";
import { openSite } from "./play.ts";

export interface BlowPlan {
  seed: number;
  minutes: number;
  own: PrivatePostgres;
  say: (line: string) => void;
}

const LONGEST_MS = 3_000;
/** So many bets leave an old row of a wallet each, at least, before a vacuum that is late comes. */
const UNTIL_VACUUM = 30;

/** What befalls a PostgreSQL that members play on. */
function blowsOn({ server: { database }, load }: Played, own: PrivatePostgres, random: () => number) {
  const some = () => sleep(random() * LONGEST_MS);
  return {
    /** As a machine that fails: it recovers from its WAL. */
    async crash() {
      await own.crash();
      await sleep(random() * 1_000);
      await own.start();
    },
    async freeze() {
      own.freeze();
      await some();
      own.thaw();
    },
    /** Many commits are under way then. */
    cutOff: () =>
      withConnection(database, ({ run }) =>
        run(`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid()`),
      ),
    /** Somebody else's transaction keeps its snapshot, and then a lock that every bet needs. */
    async longTransaction() {
      const other = await openConnection(database);
      await other.run("begin isolation level repeatable read; select count(*) from bets");
      await some();
      await other.run("rollback; begin; lock table wallets in share row exclusive mode");
      await some();
      await other.run("rollback");
      await other.close();
    },
    /** Somebody's snapshot keeps each old row, and nothing is vacuumed. Then all is, at once, and frozen. */
    async lateVacuum() {
      const other = await openConnection(database);
      await other.run("begin isolation level repeatable read; select count(*) from wallets");
      const again = new Again(load);
      for (let bets = 0; bets < UNTIL_VACUUM && (await again.bet()); bets++);
      await other.run("rollback");
      await other.run("vacuum (freeze)");
      await other.close();
    },
  };
}

/** Members play on a PostgreSQL that is struck again and again: in each way at least once. */
export async function strike({ seed, minutes, own, say }: BlowPlan): Promise<Report> {
  const random = dicer(seed);
  const played = await openSite({});
  const { load, history } = played;
  const blows = blowsOn(played, own, random);
  const names = Object.keys(blows) as (keyof typeof blows)[];
  const count = Object.fromEntries(names.map((name) => [name, 0]));
  const again = new Again(load);
  const faults: Fault[] = [];
  try {
    load.start();
    const end = Date.now() + minutes * 60_000;
    for (let turn = 0; Date.now() < end || turn < names.length; turn++) {
      await sleep(random() * 2_000);
      const name = names[turn % names.length]!;
      await blows[name]();
      count[name]!++;
      if (!(await again.bet())) faults.push({ check: "again", text: `nobody could bet after ${name}` });
      say(`${JSON.stringify(count)}, ${load.bets.length} bets`);
    }
    await load.stop();
    faults.push(...(await settled(played)).map((text) => ({ check: "settling", text })), ...(await judge(played)));
    const figures = { ...count, ...again.figures(), requests: history.asked.length, bets: load.bets.length };
    return { figures, faults };
  } finally {
    await played.close();
  }
}
