import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#server/config/config.ts";
import { addGame, type NewGame } from "#server/domains/lottery/add-game.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { openLog } from "#server/app/log.ts";
import { openSite, type Outside, type Site } from "#server/app/site.ts";
import { invites } from "#db/schema/session.ts";
import { fromUnits } from "#shared/money.ts";
import { call, type Call, type DataOf } from "./call.ts";
import { newDatabase, type Place } from "./databases.ts";
import { startPooledWriter } from "./writer-pool.ts";

/** 2026-03-02 00:00:00 UTC, a Monday. */
export const START = Date.UTC(2026, 2, 2);

export const MINUTE_GAME: NewGame = { key: "k3-1m", name: "One minute", periodS: 60, closeS: 3 };

export interface Player {
  memberId: number;
  token: string;
  call: Call;
}

export type World = Awaited<ReturnType<typeof world>>;

/** A whole server on a fresh database in its own folder, with a clock that the test moves. */
export async function world({
  now = START,
  env = {},
  ...outside
}: { now?: number; env?: Record<string, string> } & Pick<
  Outside,
  "beacons" | "bodyMs" | "connections" | "sockets" | "startWriter"
> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "trio-"));
  const buffer = new SharedArrayBuffer(16);
  const hand = new Float64Array(buffer);
  hand[0] = now;
  const logged: string[] = [];
  const log = openLog("debug", { write: (line: string) => void logged.push(line) });
  const database = await newDatabase(folder);
  const config = readConfig({ DATA_DIR: folder, RATE_LIMIT: "off", PORT: "0", ...database.env, ...env }, []);
  let site = await open();

  const send: Call = (path, input, options) => call(site.app, path, input, options);

  function open(): Promise<Site> {
    return openSite(config, { clock: { kind: "shared", buffer }, log, startWriter: startPooledWriter, ...outside });
  }

  const it = {
    folder,
    config,
    /** Environment for an operator's program, to work on the same data. */
    env: {
      DATA_DIR: folder,
      ...database.env,
      ...(config.masterKey !== undefined && { MASTER_KEY: config.masterKey }),
    } as Place["env"],
    logged,
    get site() {
      return site;
    },
    get deps() {
      return site.deps;
    },
    now: () => hand[0]!,
    /** Moves the clock without running any job. */
    pass(ms: number) {
      hand[0]! += ms;
      hand[1]! += ms;
    },
    /** Sets the clock while no time passes; backwards, too. */
    jump(ms: number) {
      hand[0]! += ms;
    },
    /** Moves the clock and runs every job that is due, settling included. */
    async live(ms: number) {
      it.pass(ms);
      await it.settle();
    },
    async settle() {
      await site.rounds.tick();
      await site.rounds.settle();
      await site.relay.wake();
    },
    call: send,
    /** A logged-in member with a balance in whole units. */
    async player(username: string, { balance = 0 }: { balance?: number } = {}): Promise<Player> {
      const { db } = site.deps;
      const who = { ip: "127.0.0.1", agent: "test" };
      const { memberId, token } = await db.transact(async (tx) => {
        const memberId = await addMember(tx, { username, passwordHash: null }, it.now());
        const cause = `test:${username}`;
        const gift = {
          code: "credit",
          cause,
          memberId,
          account: "house:operator",
          amount: fromUnits(balance),
        } as const;
        if (balance) await transfer(tx, site.deps, gift);
        return { memberId, token: await openSession(tx, site.deps, memberId, who) };
      });
      const own: Call = (path, input, options) => it.call(path, input, { token, ...options });
      return { memberId, token, call: own };
    },
    invite: (code: string, usesLeft: number | null = null) =>
      site.deps.db.transact((tx) => tx.insert(invites).values({ code, usesLeft, createdAt: it.now() })),
    game: (game: NewGame = MINUTE_GAME) => site.deps.db.transact((tx) => addGame(tx, site.deps, game)),
    /** The address it listens on, for real clients. */
    async listen(): Promise<string> {
      return site.app.server.listening ? addressOf(site) : site.app.listen({ host: "127.0.0.1", port: 0 });
    },
    /** Starts a new server on the same database. */
    async restart() {
      await site.close();
      site = await open();
    },
    /** As after a kill: nothing is drained, requests under way are cut off, and a new server opens the same folder. */
    async crash() {
      await site.relay.stop();
      void site.hub.io.close();
      await site.deps.db.close();
      site = await open();
    },
    async close() {
      await site.close();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
  return it;
}

function addressOf({ app }: Site): string {
  const { port } = app.server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

/** Sends a GET, which must succeed. */
export async function read<P extends string>(
  w: Pick<World, "call">,
  path: P,
  input: Record<string, string> = {},
  token?: string,
): Promise<DataOf<P, "GET">> {
  const options = { method: "GET", lang: "en_us", ...(token !== undefined && { token }) } as const;
  const { code, data } = await w.call(path, input, options);
  if (code !== 200) throw new Error(`${path} answers ${code}`);
  return data;
}
