import { randomBytes } from "node:crypto";
import { watchDatabase } from "#server/realtime/away.ts";
import { databaseAt, withServer } from "../support/postgres-databases.ts";
import type { PrivatePostgres } from "../support/postgres-server.ts";
import { set } from "../support/operator.ts";
import { world, type Player, type World } from "../support/world.ts";
import { SocketClients } from "./realtime/socket-client.ts";
import { logIn, register } from "./session/people.ts";
import { offer, prize } from "./wheel/wheel-world.ts";

export const INVITE = "WELCOME";
/** By then a caller has an answer, whatever the database's state. */
export const PATIENCE_MS = 6_000;

export interface AwayWorld {
  w: World;
  mia: Player;
  clients: SocketClients;
  /** The database's address for an operator of PostgreSQL, past `through`. */
  url: string;
  bet(key: string): ReturnType<Player["call"]>;
  /** Every call of a member that changes something, each under a key where it takes one. */
  everything(name: string): Promise<{ status: number; code: number; msg: string; headers: object }>[];
  close(): Promise<void>;
}

/** A site on a PostgreSQL that may go away, reached by `through`; it watches its database as a running server does. */
export async function awayWorld(
  server: PrivatePostgres,
  through: (url: string) => string = (url) => url,
): Promise<AwayWorld> {
  const name = `away_${randomBytes(6).toString("hex")}`;
  await withServer(server.url, (client) => client.query(`create database ${name}`));
  const url = databaseAt(server.url, name);
  const w = await world({ env: { DATABASE_URL: through(url) } });
  await w.game();
  await offer(w, prize("none"), prize("nothing"));
  await w.invite(INVITE);
  await register(w, "anna_1");
  await set(w, "spin_daily", "20");
  await w.live(1_000);
  const mia = await w.player("mia_1", { balance: 1_000 });
  const clients = new SocketClients(await w.listen());
  const stop = watchDatabase(w.site.hub.io, w.deps);
  const order = { item: "A", money: "10", lid: "lot_1", mid: "", expect: "20260302-0001" };
  const bet = (key: string) => mia.call("/game/placeOrder", order, { key, lang: "en_us" });
  return {
    w,
    mia,
    clients,
    url,
    bet,
    everything: (name) => [
      bet(`bet-${name}`),
      logIn(w, "anna_1", undefined, { lang: "en_us" }),
      mia.call("/member/doRecharge", { pay_way: "sandbox", money: "50" }, { key: `top-${name}`, lang: "en_us" }),
      mia.call("/luckdraw", {}, { method: "POST", key: `spin-${name}`, lang: "en_us" }),
    ],
    async close() {
      stop();
      clients.close();
      await w.close();
    },
  };
}

/** Cuts every connection to a database but this one. */
export const killAll = (url: string): Promise<number> =>
  withServer(url, async (client) => {
    const ended = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return ended.rowCount!;
  });

/** How long something took. */
export async function timed<T>(work: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const from = performance.now();
  const answer = await work;
  return { answer, tookMs: performance.now() - from };
}
