import type { FastifyInstance } from "fastify";
import type * as z from "zod/mini";
import type { Deps } from "#server/app/deps.ts";
import { mount, serve, servePrepared, serveWrite, type Call } from "#server/http/serve.ts";
import * as security from "#shared/contract/security.ts";
import * as contract from "#shared/contract/session.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { toSeconds } from "#shared/time.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { refuseBlocked, refuseGuesser } from "./attempts.ts";
import { preparePassword, writePassword } from "./change-password.ts";
import { endOtherSessions, endSessions } from "./end-sessions.ts";
import { findOwnSession, listSessions } from "./list-sessions.ts";
import { logInByTicket } from "./log-in-by-ticket.ts";
import { foldName, logIn } from "./login.ts";
import { newDeviceToken } from "./known-device.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { checkProof, readProvenUntil, spendProof, stampProof } from "./proof.ts";
import { lockedRefusal } from "./refuse-locked.ts";
import { needRelyingParty, readPasskeys } from "#server/domains/account/read-passkeys.ts";
import { passkeyLogin } from "#shared/contract/passkeys.ts";
import { logInByPasskey } from "./log-in-by-passkey.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { makeInvite, readInvites } from "#server/domains/account/own-invites.ts";
import { recover } from "./recover.ts";
import { register } from "./register.ts";
import { makeRecoveryCodes, readRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { refuseOut } from "./still-in.ts";
import { readUserInfo } from "./user-info.ts";

/** Logging in and out over HTTP. */
export function sessionRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  const { db } = deps;
  loginRoutes(app, deps, passwords);

  serveWrite(app, deps, contract.doLogout, async (tx, { caller }) => {
    await endSessions(tx, deps, [{ id: caller.sessionId }], "member", null);
    return null;
  });

  serve(app, deps, contract.checkLoginOut, () => ({ login_out: 0 as const }));

  serve(app, deps, contract.getUserInfo, ({ caller, ip, locale }) =>
    readUserInfo(db.read, deps, { memberId: caller.memberId, ip, locale }),
  );

  servePrepared(
    app,
    deps,
    contract.setLoginPassword,
    ({ input: { old_password: old, new_password: next }, caller, ip }) =>
      preparePassword(deps, passwords, { caller, ip, old, next }),
    async (tx, { caller }, prepared) => {
      await writePassword(tx, deps, caller, prepared);
      return null;
    },
  );

  serve(app, deps, contract.ownInvites, ({ caller }) => readInvites(db.read, deps, caller.memberId));
  serveWrite(app, deps, contract.addInvite, (tx, { caller }) => makeInvite(tx, deps, caller.memberId));

  ownSessions(app, deps);
  passkeyRoutes(app, deps);
  proofs(app, deps, passwords);
  recovery(app, deps, passwords);
}

/** The way back of a member who lost the password. */
function recovery(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  // No idempotency key: the answer would be stored, and codes are stored nowhere. Asked again, there is another set.
  serve(app, deps, security.makeCodes, ({ caller, locale }) =>
    deps.db.transact(async (tx) => {
      await refuseOut(tx, deps, security.makeCodes, { caller, locale });
      await tellSecurity(tx, deps, caller.memberId, "recoveryMade");
      return { codes: await makeRecoveryCodes(tx, deps, caller.memberId) };
    }),
  );

  const handle = async ({ input, ip, agent, locale }: Call<z.output<typeof security.recoverAccount.input>>) => {
    const done = await recover(deps, passwords, { ...input, newPassword: input.new_password, ip, agent });
    if ("locked" in done) throw await lockedRefusal(deps.db.read, deps, done.locked, locale);
    return entered(deps, { ...done, ip, locale });
  };
  mount(app, deps, security.recoverAccount, { handle });
}

/** Proofs of who one is, beyond the session's token. */
function proofs(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  serve(app, deps, security.securityState, async ({ caller, host }) => {
    const { passwordHash, payPinHash } = await readMember(deps.db.read, caller.memberId);
    const party = deps.passkeysAt(host);
    const keys = typeof party === "string" ? [] : await readPasskeys(deps.db.read, caller.memberId, party.id);
    const { left, madeAt } = await readRecoveryCodes(deps.db.read, caller.memberId);
    const flag = (hash: string | null): 0 | 1 => (hash === null ? 0 : 1);
    return {
      password: flag(passwordHash),
      passcode: flag(payPinHash),
      passkey: keys.length > 0 ? (1 as const) : (0 as const),
      proven_until: toSeconds(await readProvenUntil(deps.db.read, caller)),
      recovery_left: left,
      recovery_made: toSeconds(madeAt),
    };
  });

  servePrepared(
    app,
    deps,
    security.prove,
    ({ input, caller, ip, host }) => checkProof(deps, passwords, { ...input, caller, ip, host }),
    async (tx, { caller }, proof) => {
      await spendProof(tx, deps, caller, proof);
      await stampProof(tx, deps, caller);
      return null;
    },
  );
}

/** Registration, and the three ways to log in. */
function loginRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  mount(app, deps, contract.doRegister, {
    onInvalid: (_raw, ip) => refuseGuesser(deps, ip),
    async handle({ input, ip, agent, locale }) {
      const { memberId, token } = await register(deps, passwords, { ...input, ip, agent });
      return entered(deps, { memberId, token, ip, locale });
    },
  });

  const refuseWaiting = ({ username }: Record<string, unknown>, ip: string) => {
    // Only what could be a member's name is looked up: PostgreSQL takes no text with a NUL.
    const name = contract.doLogin.input.shape.username.safeParse(username);
    return refuseBlocked(deps.db.read, { username: name.success ? foldName(name.data) : null, ip }, deps.clock.now());
  };
  const handle = async ({ input, ip, agent, locale, isDirect }: Call<z.output<typeof contract.doLogin.input>>) => {
    const newPassword = input.new_password;
    const login = await logIn(deps, passwords, { ...input, newPassword, ip, agent, locale, isDirect });
    if ("locked" in login) throw await lockedRefusal(deps.db.read, deps, login.locked, locale);
    return entered(deps, { ...login, ip, locale });
  };
  mount(app, deps, contract.doLogin, { handle, onInvalid: refuseWaiting });

  serve(app, deps, contract.doLoginthird, async ({ input: { sso, username }, ip, agent, locale }) => {
    const login = await logInByTicket(deps, { sso, username, ip, agent, locale });
    if ("locked" in login) throw await lockedRefusal(deps.db.read, deps, login.locked, locale);
    return entered(deps, { ...login, sso, ip, locale });
  });

  serve(app, deps, passkeyLogin, async ({ input, host, ip, agent, locale }) => {
    const party = needRelyingParty(deps, host);
    const login = await logInByPasskey(deps, { json: input.passkey, party, ip, agent, locale });
    if ("locked" in login) throw await lockedRefusal(deps.db.read, deps, login.locked, locale);
    return entered(deps, { ...login, ip, locale });
  });
}

interface Entered {
  memberId: number;
  token: string;
  sso?: string;
  ip: string;
  locale: LocaleCode;
}

/** The answer to whoever has logged in. */
async function entered(deps: Deps, { memberId, token, sso = "", ip, locale }: Entered) {
  const { read } = deps.db;
  const user = await readUserInfo(read, deps, { memberId, ip, locale });
  return { token, tokensso: sso, device: newDeviceToken(deps, await readMember(read, memberId)), user };
}

/** A member's own sessions: where they are logged in, and ending what they do not know. */
function ownSessions(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;

  serve(app, deps, contract.sessionList, ({ input, caller, ip }) =>
    listSessions(db.read, deps, { ...input, caller, ip, now: clock.now() }),
  );

  serveWrite(app, deps, contract.endSession, async (tx, { input: { id }, caller }) => {
    const one = id === undefined ? null : await findOwnSession(tx, deps, caller.memberId, id);
    const ended = one ? await endSessions(tx, deps, [one], "member", null) : await endOtherSessions(tx, deps, caller);
    const isOther = one?.id !== caller.sessionId;
    if (ended > 0 && isOther) await tellSecurity(tx, deps, caller.memberId, "sessionsEnded", { devices: `${ended}` });
    return null;
  });
}
