import { isLocalUrl, type Config } from "#server/config/config.ts";
import type { Operator } from "#server/admin/command.ts";
import type { SettingsReader } from "#server/app/deps.ts";
import type { ChannelKind } from "#server/domains/payments/channel.ts";
import { CHANNEL_KINDS } from "#server/domains/payments/channels.ts";
import { readLooks } from "#server/domains/payments/looks.ts";
import { MINUTE_MS, toIso } from "#shared/time.ts";
import { POINTS } from "#shared/unit.ts";
import { finding, type Finding } from "./finding.ts";

/** Checks which channels are configured, and says what is still to be tried with each. */
export function checkPayments(settings: SettingsReader, config: Config): Finding[] {
  const unit = settings.get<string>("unit");
  const found = CHANNEL_KINDS.filter(({ isTried }) => !isTried).flatMap((kind) => checkKind(kind, unit, config));
  const known = new Set(CHANNEL_KINDS.map(({ code }) => code));
  const named = [...settings.get<string[]>("pay_banklist"), ...Object.keys(settings.get<object>("pay_fees"))];
  for (const code of new Set(named.filter((one) => !known.has(one))))
    found.push(
      finding(
        "wrong",
        "payments",
        `pay_banklist or pay_fees names ${code}, which is not a channel`,
        "See setting:list",
      ),
    );
  if (found.length > 0) return found;
  return unit === POINTS
    ? [finding("ok", "payments", "the unit is points, not money: the sandbox takes top-ups")]
    : [
        finding(
          "note",
          "payments",
          `no channel takes ${unit}: nobody can top up`,
          "Set a provider's secrets in the environment",
        ),
      ];
}

/** How old a comparison may be: two in a row have failed then. */
const UNSEEN_MS = 15 * MINUTE_MS;

/** Finds providers whose payments no server could list for a while: they, or all servers, may be away. */
export async function checkProviders(
  { db, clock }: Pick<Operator, "db" | "clock">,
  { secret }: Pick<Config, "secret">,
) {
  const looks = await readLooks(db.read);
  const asked = CHANNEL_KINDS.filter(({ code, isConfigured }) => looks.has(code) && isConfigured(secret));
  return asked
    .filter(({ code }) => clock.now() - looks.get(code)! > UNSEEN_MS)
    .map(({ code }) => {
      const says = `${code} has shown no payments since ${toIso(looks.get(code)!)}`;
      const advice = "Does a server run, and reach it? Its log says: a channel's payments could not be listed";
      return finding("note", "payments", says, advice);
    });
}

function checkKind({ code, isConfigured }: ChannelKind, unit: string, { secret, publicUrl }: Config): Finding[] {
  let has: boolean;
  try {
    has = isConfigured(secret);
  } catch (error) {
    return [
      finding(
        "wrong",
        "payments",
        `${code}: ${(error as Error).message}`,
        "Correct the environment: the server does not start with it",
      ),
    ];
  }
  if (!has) return [];
  const found = [
    finding(
      "note",
      "payments",
      `${code} was tested against its documentation, and never against the real service`,
      "Order, pay, refund and dispute small amounts in its test mode first",
    ),
  ];
  if (unit === POINTS)
    found.push(finding("note", "payments", `${code} is not offered: the unit is points`, "setting:set unit EUR"));
  if (isLocalUrl(publicUrl))
    found.push(
      finding("wrong", "payments", `${code} cannot notify ${publicUrl}`, "Set PUBLIC_URL to an address it reaches"),
    );
  return found;
}
