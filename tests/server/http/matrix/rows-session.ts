import { Authenticator } from "../../../support/authenticator.ts";
import { ticketFor } from "../../../support/partner.ts";
import { PASSWORD } from "../furnished.ts";
import { anybody, session, whileLocked, type Rows, type Scene } from "./row.ts";

const newPassword = { old_password: PASSWORD, new_password: "battery staple" };
const login = ({ who: { username } }: Scene) => ({ username, password: PASSWORD });
const third = ({ w, who: { username } }: Scene) => ({ username, sso: ticketFor(username, w.now()) });

export const rows: Rows = {
  "POST /member/doRegister": anybody({
    input: ({ count }) => ({ username: `new_${count}`, password: PASSWORD, code: "WELCOME" }),
    foreign: () => ({ username: "mia_1", password: PASSWORD, code: "WELCOME" }),
    other: "409 username.taken",
  }),
  "POST /member/doLogin": anybody({
    input: login,
    foreign: (scene) => ({ ...login(scene), username: "mia_1", password: "not hers" }),
    locked: "403 member.locked",
    other: "422 login.failed",
  }),
  "POST /member/doLoginthird": anybody({
    input: third,
    foreign: (scene) => ({ ...third(scene), username: "mia_1" }),
    locked: "403 member.locked",
    other: "422 login.failed",
  }),
  "POST /member/doLogout": whileLocked(),
  "GET /member/checkloginout": whileLocked(),
  "GET /member/getUserInfo": whileLocked(),
  "GET /member/setLoginPassword": session({ input: () => newPassword }),
  "POST /member/setLoginPassword": session({ input: () => newPassword }),
  "GET /member/sessions": session(),
  "GET /member/security": whileLocked(),
  "POST /member/prove": whileLocked({
    foreign: () => ({ password: "not theirs" }),
    other: "422 password.wrong",
  }),
  "GET /member/passkeyLoginOptions": anybody(),
  "POST /member/passkeyLogin": anybody({
    foreign: () => ({ passkey: new Authenticator().answer({ challenge: "none", rpId: "localhost" }) }),
    locked: "403 member.locked",
    other: "422 login.failed",
  }),
  "GET /member/passkeys": session(),
  "GET /member/passkeyAddOptions": session(),
  "POST /member/addPasskey": session(),
  "GET /member/passkeyProofOptions": whileLocked(),
  "POST /member/renamePasskey": session({
    foreign: () => ({ id: "key_1", name: "Mine" }),
    other: "404 object.unknown",
  }),
  "POST /member/removePasskey": session({ foreign: () => ({ id: "key_1" }), other: "404 object.unknown" }),
  "GET /member/push": session(),
  "POST /member/subscribePush": session(),
  "POST /member/unsubscribePush": whileLocked(),
  "POST /member/recoveryCodes": session(),
  "GET /member/invites": session(),
  "POST /member/invites": session(),
  "POST /member/recover": anybody({
    foreign: () => ({ username: "mia_1", code: "ABCD-EFGH-JKMN-PQRS", new_password: "battery staple" }),
    locked: "403 member.locked",
    other: "422 recovery.failed",
  }),
  "POST /member/endSession": session({
    input: () => ({ id: "" }),
    foreign: ({ owner }) => ({ id: owner.session }),
    other: "403 session.foreign",
  }),
};
