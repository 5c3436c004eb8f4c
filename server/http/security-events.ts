import type { FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { currentMember } from "#server/app/log.ts";
import type { SecurityEvent } from "#server/app/security-log.ts";
import { dataExport } from "#shared/contract/export.ts";
import * as member from "#shared/contract/member.ts";
import * as passkeys from "#shared/contract/passkeys.ts";
import { makeCodes, prove, recoverAccount } from "#shared/contract/security.ts";
import * as session from "#shared/contract/session.ts";
import { setBank, setUserWithdraw } from "#shared/contract/withdrawals.ts";
import type { Refusal, RefusalReason } from "#shared/refusal.ts";

type Done = Extract<SecurityEvent, { done: unknown }>["done"];
type Refused = Extract<SecurityEvent, { refused: unknown }>["refused"];

/** The endpoints whose success is a security event. */
const DONE: Record<string, Done> = {
  [session.doLogin.path]: "login.done",
  [session.doLoginthird.path]: "login.partner",
  [passkeys.passkeyLogin.path]: "login.passkey",
  [passkeys.addPasskey.path]: "passkey.added",
  [passkeys.removePasskey.path]: "passkey.removed",
  [session.doRegister.path]: "signup.done",
  [session.doLogout.path]: "session.closed",
  [session.endSession.path]: "session.ended",
  [session.setLoginPassword.path]: "password.changed",
  [makeCodes.path]: "recovery.made",
  [recoverAccount.path]: "recovery.used",
  [member.setPayPassword.path]: "passcode.set",
  [member.editPayPassword.path]: "passcode.changed",
  [setBank.path]: "bank.bound",
  [setUserWithdraw.path]: "withdrawal.asked",
  [dataExport.path]: "export.begun",
  [prove.path]: "proof.given",
};

/** The refusals that are security events. Many a foreign object is answered as if there were none. */
const REFUSED: Partial<Record<RefusalReason, Refused>> = {
  "login.failed": "login.failed",
  "login.locked": "login.locked",
  "password.wrong": "password.failed",
  "recovery.failed": "recovery.failed",
  "passcode.wrong": "passcode.failed",
  "passcode.locked": "passcode.locked",
  "passkey.wrong": "passkey.failed",
  "proof.needed": "proof.needed",
  "session.kicked": "session.kicked",
  "member.locked": "access.denied",
  "membership.needed": "access.denied",
  "bet.foreign": "access.denied",
  "picture.foreign": "access.denied",
  "session.foreign": "access.denied",
  "object.unknown": "access.denied",
  "attempts.many": "rate.limited",
  "messages.many": "rate.limited",
  "uploads.many": "rate.limited",
};

/** Notes that a call of this path went through, if that concerns security. */
export function noteDone({ security }: Pick<Deps, "security">, { ip }: FastifyRequest, path: string): void {
  const done = DONE[path];
  if (done) security.note({ done, ip, memberId: currentMember() });
}

/** Notes a refusal, if that concerns security. */
export function noteRefusal(
  { security }: Pick<Deps, "security">,
  request: FastifyRequest,
  { reason, detail }: Refusal,
): void {
  const refused = kindOf(request, reason, detail.fields);
  if (!refused) return;
  const about = { reason, route: request.routeOptions.url };
  security.note({ refused, ip: request.ip, memberId: currentMember(), ...about });
}

function kindOf({ headers }: FastifyRequest, reason: RefusalReason, fields: object = {}): Refused | undefined {
  // Nothing is a guest's own, so nothing is foreign to them.
  if (reason === "object.unknown" && currentMember() === undefined) return undefined;
  // Without a token it is a guest, to whom nothing was refused yet.
  if (reason === "session.missing") return headers.token ? "session.unknown" : undefined;
  if (reason === "input.invalid") return "code" in fields && fields.code === "invite" ? "invite.failed" : undefined;
  return REFUSED[reason];
}
