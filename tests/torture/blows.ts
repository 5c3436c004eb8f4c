import { setTimeout as sleep } from "node:timers/promises";
import type { PrivatePostgres } from "../support/postgres-server.ts";
import { openConnection, withConnection } from "../support/own-connection.ts";
import { dicer } from "../support/recompute.ts";
import { judge, settled, type Report } from "./judge.ts";
import { openSite } from "./play.ts";

export interface BlowPlan {
  seed: number;
  minutes: number;
  own: PrivatePostgres;
  say: (line: string) => void;
}

const LONGEST_MS = 3_000;

/** Members play on a PostgreSQL that is struck again and again. */
export async function strike({ seed, minutes, own, say }: BlowPlan): Promise<Report> {
  const random = dicer(seed);
  const played = await openSite({});
  const { database } = played.server;
  const blows = {
    /** As a machine that fails: it recovers from its WAL. */
    async crash() {
      await own.crash();
      await sleep(random() * 1_000);
      await own.start();
    },
    async freeze() {
      own.freeze();
      await sleep(random() * LONGEST_MS);
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
      await sleep(random() * LONGEST_MS);
      await other.run("rollback; begin; lock table wallets in share row exclusive mode");
      await sleep(random() * LONGEST_MS);
      await other.run("rollback");
      await other.close();
    },
  };
  try {
    played.load.start();
    const names = Object.keys(blows) as (keyof typeof blows)[];
    const count = { crash: 0, freeze: 0, cutOff: 0, longTransaction: 0 };
    for (const end = Date.now() + minutes * 60_000; Date.now() < end;) {
      await sleep(random() * 2_000);
      const name = names[Math.floor(random() * names.length)]!;
      await blows[name]();
      count[name]++;
      say(`${JSON.stringify(count)}, ${played.load.bets.length} bets`);
    }
    await played.load.stop();
    const late = (await settled(played)).map((text) => ({ check: "settling", text }));
    const faults = [...late, ...(await judge(played))];
    const { length: requests } = played.history.asked;
    return { figures: { ...count, requests, bets: played.load.bets.length }, faults };
  } finally {
    await played.close();
  }
}
