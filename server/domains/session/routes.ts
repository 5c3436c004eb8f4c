import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/session.ts";
import { Refusal } from "#shared/refusal.ts";
import { preparePassword, writePassword } from "./change-password.ts";
import { endOtherSessions, endSessions } from "./end-sessions.ts";
import { findOwnSession, listSessions, refuseEnded } from "./list-sessions.ts";
import { logInByTicket } from "./log-in-by-ticket.ts";
import { logIn } from "./login.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { register } from "./register.ts";
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
    ({ input: { old_password: old, new_password: next }, caller: { memberId }, ip }) =>
      preparePassword(deps, passwords, { memberId, ip, old, next }),
    async (tx, { caller }, prepared) => {
      await writePassword(tx, deps, caller, prepared);
      return null;
    },
  );

  ownSessions(app, deps);
}

/** Registration, and the two ways to log in. */
function loginRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  const { db } = deps;

  serve(app, deps, contract.doRegister, async ({ input, ip, agent, locale }) => {
    const { memberId, token } = await register(deps, passwords, { ...input, ip, agent });
    return { token, tokensso: "", user: await readUserInfo(db.read, deps, { memberId, ip, locale }) };
  });

  serve(app, deps, contract.doLogin, async ({ input, ip, agent, locale }) => {
    const login = await logIn(deps, passwords, { ...input, ip, agent });
    if ("locked" in login) throw new Refusal("member.locked");
    const { memberId, token } = login;
    return { token, tokensso: "", user: await readUserInfo(db.read, deps, { memberId, ip, locale }) };
  });

  serve(app, deps, contract.doLoginthird, async ({ input: { sso, username }, ip, agent, locale }) => {
    const login = await logInByTicket(deps, { sso, username, ip, agent, locale });
    if ("locked" in login) throw new Refusal("member.locked");
    const { memberId, token } = login;
    return { token, tokensso: sso, user: await readUserInfo(db.read, deps, { memberId, ip, locale }) };
  });
}

/** A member's own sessions: where they are logged in, and ending what they do not know. */
function ownSessions(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;

  serve(app, deps, contract.sessionList, ({ input, caller, ip }) =>
    listSessions(db.read, { ...input, caller, ip, now: clock.now() }),
  );

  serveWrite(app, deps, contract.endSession, async (tx, { input: { id }, caller }) => {
    await refuseEnded(tx, caller);
    if (id === undefined) await endOtherSessions(tx, deps, caller);
    else await endSessions(tx, deps, [await findOwnSession(tx, caller.memberId, id, clock.now())], "member", null);
    return null;
  });
}
