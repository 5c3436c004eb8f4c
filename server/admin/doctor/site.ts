import { eq, sql } from "drizzle-orm";
import { games } from "#db/schema/lottery.ts";
import { members } from "#db/schema/member.ts";
import type { Operator } from "#server/admin/command.ts";
import { countWaiting, readTrouble } from "#server/admin/waiting.ts";
import { isLocalUrl, isLoopback, type Config } from "#server/config/config.ts";
import type { SettingsReader } from "#server/app/deps.ts";
import { LOCALES, type Locale } from "#shared/locales.ts";
import { POINTS } from "#shared/unit.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { finding, type Finding } from "./finding.ts";

const count = sql<number>`cast(count(*) as integer)`;

/** English stands in for what a language lacks. */
export function checkLanguages(locales: readonly Pick<Locale, "name" | "share">[] = LOCALES): Finding[] {
  const partial = locales.filter(({ share }) => share < 1);
  if (partial.length === 0) return [finding("ok", "languages", `all ${locales.length} have every text`)];
  const shares = partial.map(({ name, share }) => `${name} has ${Math.floor(share * 100)} %`);
  return [
    finding(
      "note",
      "languages",
      `${shares.join(", ")} of the texts; members read the others in English`,
      "Complete the file in locales/, or leave the language out of the setting lang_data",
    ),
  ];
}

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
  const { failed, late } = await readTrouble(db.read, clock.now());
  for (const { key, failure, ...place } of failed) {
    const round = `${key} ${roundText(place)}`;
    found.push(finding("wrong", "games", `round ${round} failed and is not paid: ${failure}`, `round:retry ${round}`));
  }
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
  if (settings.get("close_withdraw")) note("withdrawals are closed", "setting:set close_withdraw 0");
  if (settings.get("close_recharge")) note("top-ups are closed", "setting:set close_recharge 0");
  if (!settings.get("isplay")) note("games are switched off", "setting:set isplay 1");
  if (!isLoopback(host) && metricsToken === undefined)
    note("/metrics answers this machine only", "Set METRICS_TOKEN to read it from elsewhere");
  return found.length > 0 ? found : [finding("ok", "settings", "every feature is open")];
}

/** Finds payments, withdrawals and messages that wait for an operator. */
export async function checkWaiting({ db }: Operator): Promise<Finding[]> {
  const { comments, messages, recharges, withdrawals } = await countWaiting(db.read);
  const found: Finding[] = [];
  if (messages > 0) found.push(finding("note", "waiting", `${messages} members wait for an answer`, "message:list"));
  if (recharges > 0)
    found.push(finding("note", "waiting", `${recharges} payments wait for a decision`, "recharge:review"));
  if (withdrawals > 0)
    found.push(finding("note", "waiting", `${withdrawals} withdrawals wait for a decision`, "withdraw:list"));
  if (comments > 0) found.push(finding("note", "waiting", `${comments} comments wait for a decision`, "comment:list"));
  return found;
}
