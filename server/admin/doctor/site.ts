import { eq, inArray, sql } from "drizzle-orm";
import { games } from "#db/schema/lottery.ts";
import { members } from "#db/schema/member.ts";
import { deposits, withdrawals } from "#db/schema/payments.ts";
import type { Operator } from "#server/admin/command.ts";
import { readUnpaidRounds } from "#server/domains/lottery/unpaid-rounds.ts";
import { isLocalUrl, isLoopback, type Config } from "#server/config/config.ts";
import type { SettingsReader } from "#server/app/deps.ts";
import { POINTS } from "#shared/unit.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { finding, type Finding } from "./finding.ts";

const count = sql<number>`cast(count(*) as integer)`;

/** Demo members have published passwords. */
export async function checkDemo({ db }: Operator, { publicUrl, host }: Config): Promise<Finding[]> {
  const [row] = await db.read.select({ count }).from(members).where(eq(members.demo, true));
  const isHere = isLoopback(host) && isLocalUrl(publicUrl);
  if (row!.count === 0) return [];
  return isHere
    ? [finding("ok", "demo", `${row!.count} demo members, on this machine only`)]
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
  if (all!.count === 0) found.push(finding("note", "games", "there are no games", "lottery:add KEY --name NAME"));
  if (settings.get("unit") !== POINTS && settings.get("licence") === "")
    found.push(
      finding(
        "note",
        "games",
        "games are closed: the unit is a currency, and no licence is set",
        "setting:set licence …",
      ),
    );
  const unpaid = await readUnpaidRounds(db.read, clock.now());
  for (const { key, failure, ...place } of unpaid.filter(({ isFailed }) => isFailed)) {
    const round = `${key} ${roundText(place)}`;
    found.push(finding("wrong", "games", `round ${round} failed and is not paid: ${failure}`, `round:retry ${round}`));
  }
  const late = unpaid.filter(({ isFailed, isOverdue }) => isOverdue && !isFailed).length;
  if (late > 0)
    found.push(
      finding(
        "note",
        "games",
        `${late} rounds are overdue: drawn late or not paid`,
        "Check that a server is running, and read its log",
      ),
    );
  return found.length > 0 ? found : [finding("ok", "games", `${all!.count} games, every round paid`)];
}

/** Finds settings that close a feature or lead nowhere. */
export function checkSettings(settings: SettingsReader, { metricsToken, host }: Config): Finding[] {
  const found: Finding[] = [];
  const note = (says: string, advice: string) => found.push(finding("note", "settings", says, advice));
  if (settings.get("iskefu") && settings.get("kefu") === "")
    note("online service is on, but has no address", "setting:set kefu https://…, or setting:set iskefu 0");
  if (settings.get("close_withdraw")) note("withdrawals are closed", "setting:set close_withdraw 0");
  if (settings.get("close_recharge")) note("top-ups are closed", "setting:set close_recharge 0");
  if (!settings.get("isplay")) note("games are switched off", "setting:set isplay 1");
  if (!isLoopback(host) && metricsToken === undefined)
    note("/metrics answers this machine only", "Set METRICS_TOKEN to read it from elsewhere");
  return found.length > 0 ? found : [finding("ok", "settings", "every feature is open")];
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
    found.push(finding("note", "waiting", `${payments!.count} payments wait for a decision`, "recharge:review"));
  if (payouts!.count > 0)
    found.push(finding("note", "waiting", `${payouts!.count} withdrawals wait for a decision`, "withdraw:list"));
  return found;
}
