import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/deps.ts";
import { serve, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/session.ts";
import { Refusal } from "#shared/refusal.ts";
import { endSessions } from "./end-sessions.ts";
import { logIn } from "./login.ts";
import { Passwords } from "./passwords.ts";
import { register } from "./register.ts";
import { readUserInfo } from "./user-info.ts";

/** Logging in and out over HTTP. */
export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const passwords = new Passwords(deps.random);

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

  serveWrite(app, deps, contract.doLogout, async (tx, { caller }) => {
    await endSessions(tx, deps, [{ id: caller.sessionId }], "member", null);
    return null;
  });

  serve(app, deps, contract.checkLoginOut, () => ({ login_out: 0 as const }));

  serve(app, deps, contract.getUserInfo, ({ caller, ip, locale }) =>
    readUserInfo(db.read, deps, { memberId: caller.memberId, ip, locale }),
  );
}
