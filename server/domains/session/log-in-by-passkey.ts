import type { Deps, RelyingParty } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { checkAnswer, readAnswer, spendAnswer } from "#server/domains/account/passkey-answer.ts";
import { findPasskey } from "#server/domains/account/read-passkeys.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { forgiveAttempt } from "./attempts.ts";
import { judge } from "./judge.ts";
import { isFamiliar } from "./known-device.ts";
import { openSession } from "./open-session.ts";

interface PasskeyLogin {
  json: string;
  party: RelyingParty;
  ip: string;
  agent: string;
  locale: LocaleCode;
}

/**
 * Logs in whoever's passkey answered, by the gates of a password: attempts count, and a locked member stays out. The
 * challenge's only use and the session are one commit. Every wrong answer gets the same refusal.
 */
export async function logInByPasskey(deps: Deps, { json, party, ip, agent, locale }: PasskeyLogin) {
  const { db, clock } = deps;
  const answer = readAnswer(json);
  const failed = new Refusal("login.failed", { text: deps.text(locale, "refusal.login.passkey") });
  const owner = (await findPasskey(db.read, answer.id))?.memberId ?? 0;
  if (owner) deps.concerns(owner);
  const guess = { username: null, ip, isFamiliar: await isFamiliar(db.read, owner, ip) };
  return judge(deps, guess, async (counted) => {
    const proven = await checkAnswer(deps, { answer, purpose: "login", sessionId: 0, party });
    if (!proven) throw failed;
    const { memberId } = proven.passkey;
    return db.transact(async (tx) => {
      await forgiveAttempt(tx, guess, { counted, memberId, now: clock.now() });
      if ((await readMember(tx, memberId)).locked) return { locked: memberId };
      if (!(await spendAnswer(tx, deps, proven))) throw failed;
      return { memberId, token: await openSession(tx, deps, memberId, { ip, agent }) };
    });
  });
}
