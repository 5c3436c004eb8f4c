import { asc } from "drizzle-orm";
import { sessions } from "#db/schema/session.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";

export const INVITE = "WELCOME";
export const PASSWORD = "correct horse";

interface From {
  /** The address that the request comes from. */
  from?: string;
  lang?: LocaleCode;
  /** What the device kept from an earlier log-in. */
  device?: string;
  /** What the browser says of itself. */
  agent?: string;
}

const post = <P extends string>(w: World, path: P, form: Record<string, string>, { from, lang, agent }: From) =>
  send(w, {
    path,
    payload: new URLSearchParams(form).toString(),
    ...(from !== undefined && { remoteAddress: from }),
    ...(lang && { lang }),
    ...(agent !== undefined && { headers: { "user-agent": agent } }),
  });

export const register = (
  w: World,
  username: string,
  { code = INVITE, password = PASSWORD, ...from }: From & { code?: string; password?: string } = {},
) => post(w, "/member/doRegister", { username, password, code }, from);

export const logIn = (w: World, username: string, password = PASSWORD, from: From = {}) =>
  post(w, "/member/doLogin", { username, password, ...(from.device && { device: from.device }) }, from);

/** Returns the member of a token. */
export const whoIs = (w: World, token: string, lang?: LocaleCode) =>
  send(w, { method: "GET", path: "/member/getUserInfo", token, ...(lang && { lang }) });

export const allSessions = ({ deps }: World) => deps.db.read.select().from(sessions).orderBy(asc(sessions.id));
