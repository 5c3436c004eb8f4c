import type { Tx } from "#db/db.ts";
import { ssoTickets } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { findMember } from "#server/domains/account/find-member.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { forgiveAttempt } from "./attempts.ts";
import { judge } from "./judge.ts";
import { openSession } from "./open-session.ts";
import { readTicket, type Ticket } from "./sso-ticket.ts";
import { hashToken } from "./tokens.ts";

interface TicketLogin {
  sso: string;
  username: string;
  ip: string;
  agent: string;
  locale: LocaleCode;
}

/**
 * Logs in the user of a partner's ticket; an unknown name becomes a member without a password. The ticket's only use,
 * the member and the session are one commit. Every bad ticket gets the same answer.
 */
export async function logInByTicket(deps: Deps, login: TicketLogin) {
  const { db, clock, settings } = deps;
  const { sso, username, ip, locale } = login;
  const failed = new Refusal("login.failed", { text: deps.text(locale, "refusal.login.ticket") });
  const guess = { username: null, ip };
  return judge(deps, guess, async (counted) => {
    const ticket = await readTicket(sso, {
      secret: settings.get<string>("sso_secret"),
      audience: new URL(deps.publicUrl).origin,
      needsAudience: settings.get("sso_audience") === 1,
      username,
      now: clock.now(),
    });
    if (!ticket) throw failed;
    return db.transact(async (tx) => {
      const member = await findMember(tx, ticket.username);
      if (member) deps.concerns(member.id);
      await forgiveAttempt(tx, guess, { counted, memberId: member?.id ?? null, now: clock.now() });
      if (member?.locked) return { locked: member.id };
      if (!(await spendTicket(tx, ticket))) throw failed;
      const newcomer = { username: ticket.username, passwordHash: null };
      const memberId = member?.id ?? (await addMember(tx, newcomer, clock.now()));
      // The partner is trusted, and the member hears of it.
      await tellSecurity(tx, deps, memberId, "partnerLogin", { ip });
      return { memberId, token: await openSession(tx, deps, memberId, login) };
    });
  });
}

/** Of all requests with the same ticket, on any server, one gets past here. */
async function spendTicket(tx: Tx, { jti, expiresAt }: Ticket): Promise<boolean> {
  const row = { jtiHash: hashToken(jti), expiresAt };
  const spent = await tx.insert(ssoTickets).values(row).onConflictDoNothing().returning({ jti: ssoTickets.jtiHash });
  return spent.length > 0;
}
