import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { games, rounds } from "#db/schema/lottery.ts";
import { members } from "#db/schema/member.ts";
import { deposits, withdrawals } from "#db/schema/payments.ts";
import type { Operator } from "#server/admin/command.ts";
import { isLocalUrl, isLoopback, type Config } from "#server/config/config.ts";
import type { SettingsReader } from "#server/app/deps.ts";
import { POINTS } from "#shared/unit.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { finding, type Finding } from "./finding.ts";

/** How long after its due draw an unpaid round is overdue. */
const OVERDUE_MS = 10_000;

const count = sql<number>`cast(count(*) as integer)`;

/** Demo members have published passwords. */
export async function checkDemo({ db }: Operator, { publicUrl, host }: Config): Promise<Finding[]> {
  const [row] = await db.read.select({ count }).from(members).where(eq(members.demo, true));
  const isHere = isLoopback(host) && isLocalUrl(publicUrl);
  if (row!.count === 0) return [];
  return isHere
    ? [finding("ok", "demo", `${row!.count} demo members, on this machine alone`)]
    : [
        finding(
          "wrong",
          "demo",
          `${row!.count} demo members have published passwords, and others can reach this site`,
          "Start the real site on an empty database with DEMO=0",
        ),
      ];
}

export async function checkGames({ db, clock }: Operator, settings: SettingsReader): Promise<Finding[]> {
  const found: Finding[] = [];
  const [all] = await db.read.select({ count }).from(games);
  if (all!.count === 0) found.push(finding("note", "games", "there is no game", "lottery:add KEY --name NAME"));
  if (settings.get("unit") !== POINTS && settings.get("licence") === "")
    found.push(finding("note", "games", "games wait for a licence: the unit is a currency", "setting:set licence …"));
  const unpaid = and(isNull(rounds.indexedAt), isNull(rounds.settledAt));
  const failed = await db.read
    .select({ key: games.key, day: rounds.day, number: rounds.number, failure: rounds.failure })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(and(unpaid, sql`${rounds.failedAt} is not null`));
  for (const { key, failure, ...place } of failed) {
    const round = `${key} ${roundText(place)}`;
    found.push(finding("wrong", "games", `round ${round} is not paid: ${failure}`, `round:retry ${round}`));
  }
  const [late] = await db.read
    .select({ count })
    .from(rounds)
    .where(and(unpaid, isNull(rounds.failedAt), lt(rounds.drawsAt, clock.now() - OVERDUE_MS)));
  if (late!.count > 0)
    found.push(finding("note", "games", `${late!.count} rounds are overdue`, "Is a server running? See its log"));
  return found.length > 0 ? found : [finding("ok", "games", `${all!.count} games, every round paid`)];
}

/** Finds settings that close a feature or lead nowhere. */
export function checkSettings(settings: SettingsReader, { metricsToken, host }: Config): Finding[] {
  const found: Finding[] = [];
  const note = (says: string, advice: string) => found.push(finding("note", "settings", says, advice));
  if (settings.get("iskefu") && settings.get("kefu") === "")
    note("online service is on and has no address", "setting:set kefu https://…, or setting:set iskefu 0");
  if (settings.get("close_withdraw")) note("withdrawals are closed", "setting:set close_withdraw 0");
  if (settings.get("close_recharge")) note("top-ups are closed", "setting:set close_recharge 0");
  if (!settings.get("isplay")) note("games are switched off", "setting:set isplay 1");
  if (!isLoopback(host) && metricsToken === undefined)
    note("/metrics answers this machine alone", "Set METRICS_TOKEN to read it from elsewhere");
  return found.length > 0 ? found : [finding("ok", "settings", "nothing is closed or switched off")];
}

/** Finds payments and withdrawals that wait for an operator. */
export async function checkWaiting({ db }: Operator): Promise<Finding[]> {
  const [payments] = await db.read
    .select({ count })
    .from(deposits)
    .where(inArray(deposits.status, ["review", "refunding"]));
  const [payouts] = await db.read
    .select({ count })
    .from(withdrawals)
    .where(inArray(withdrawals.status, ["review", "approved"]));
  const found: Finding[] = [];
  if (payments!.count > 0)
    found.push(finding("note", "waiting", `${payments!.count} payments wait`, "recharge:review"));
  if (payouts!.count > 0) found.push(finding("note", "waiting", `${payouts!.count} withdrawals wait`, "withdraw:list"));
  return found;
}
