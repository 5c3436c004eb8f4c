import { and, count, isNotNull, isNull, lte } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import { auditDatabase } from "#server/admin/audit/audit.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { openLog } from "#server/app/log.ts";
import { openSite } from "#server/app/site.ts";
import type { Config } from "#server/config/config.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { addGame, type NewGame } from "#server/domains/lottery/add-game.ts";
import { changeBeacons } from "#server/domains/lottery/change-beacon.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { drandMode, NO_BEACON } from "#shared/lottery/beacon.ts";
import { BEACONS, CHAIN } from "./own-beacons.ts";

/** What a member begins with, in 1/100 unit: enough for all their bets. */
const BALANCE = 100_000_000;
const REASON = { en_us: "Repairs", ms_my: "Pembaikan" };

/** How far a site is. */
export interface Progress {
  /** Drawn rounds by the game's key. */
  drawn: Record<string, number>;
  /** Rounds that are due and not drawn. */
  due: number;
}

/** Opens a server, and returns what may be asked of it. */
export async function openHouse(config: Config, now: number) {
  const buffer = new SharedArrayBuffer(16);
  const hand = new Float64Array(buffer);
  hand[0] = now;
  const failures: string[] = [];
  const log = openLog("warn", { write: (line: string) => void failures.push(line) });
  const site = await openSite(config, { clock: { kind: "shared", buffer }, log, beacons: BEACONS });
  const { deps, rounds: clock, publicLog, relay, housekeeping } = site;
  const address = await site.app.listen({ host: "127.0.0.1", port: 0 });
  const { db } = deps;
  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((error: Error) => failures.push(`${error.stack}`));
  };
  return {
    address: () => address,
    /** All loops, once, at this time. */
    async live(to: number): Promise<void> {
      hand[1]! += to - hand[0]!;
      hand[0] = to;
      await attempt(() => clock.tick());
      await attempt(() => clock.settle());
      await attempt(() => publicLog.tick());
      await attempt(() => relay.wake());
    },
    addGames: (added: NewGame[]) =>
      db.transact(async (tx) => {
        for (const game of added) await addGame(tx, deps, game);
      }),
    /** A member with a session. Returns its token. */
    enter: (username: string) =>
      db.transact(async (tx) => {
        const memberId = await addMember(tx, { username, passwordHash: null }, hand[0]!);
        const gift = { code: "credit", cause: `gift:${username}`, memberId, account: "house:operator" } as const;
        await transfer(tx, deps, { ...gift, amount: BALANCE });
        return openSession(tx, deps, memberId, { ip: "127.0.0.1", agent: "phone" });
      }),
    async progress(): Promise<Progress> {
      const isDue = and(isNull(rounds.drawnAt), lte(rounds.drawsAt, hand[0]!));
      const [due] = await db.read.select({ rounds: count() }).from(rounds).where(isDue);
      const drawn = await db.read
        .select({ gameId: rounds.gameId, rounds: count() })
        .from(rounds)
        .where(isNotNull(rounds.drawnAt))
        .groupBy(rounds.gameId);
      const keys = new Map((await db.read.select().from(games)).map(({ id, key }) => [id, key]));
      return { drawn: Object.fromEntries(drawn.map((one) => [keys.get(one.gameId)!, one.rounds])), due: due!.rounds };
    },
    pause: (key: string, paused: boolean) =>
      db.transact(async (tx) =>
        pauseGame(tx, deps, await findGame(tx, key), { paused, reason: paused ? REASON : null }),
      ),
    follow: async (isDrand: boolean) => {
      await db.transact((tx) => changeBeacons(tx, deps, isDrand ? drandMode(CHAIN) : NO_BEACON));
    },
    seal: () => housekeeping.seal(),
    backup: (file: string) => db.backup(file),
    async audit(): Promise<string[]> {
      await housekeeping.seal();
      await publicLog.advance();
      const found = new Findings();
      await db.snapshot((read) => auditDatabase(read, { config, clock: deps.clock }, found, BEACONS));
      return found.problems;
    },
    failures: () => failures.splice(0),
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
