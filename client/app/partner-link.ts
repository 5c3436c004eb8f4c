import type { Toast } from "#client/api/bus.ts";
import { isLocked, RefusedCall } from "#client/api/call-error.ts";
import { call } from "#client/api/call.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { failureText } from "#client/text/use-failure-text.ts";
import { text } from "#client/text/i18n.ts";
import { doLoginthird, doLogout, getUserInfo } from "#shared/contract/session.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { browserHistory } from "./history.ts";

/** Asks whether the session here is to become another member's. */
export type AskSwitch = (who: { current: string; name: string }) => Promise<boolean>;

interface PartnerLink {
  sso: string;
  username: string;
}

/** Takes a partner's ticket out of the page's address, so that no reload, way back or bookmark shows it again. */
export function takePartnerLink(): PartnerLink | null {
  const url = new URL(window.location.href);
  const [sso, username] = [url.searchParams.get("sso"), url.searchParams.get("username")];
  if (sso === null) return null;
  url.searchParams.delete("sso");
  url.searchParams.delete("username");
  window.history.replaceState(window.history.state, "", url);
  return username === null ? null : { sso, username };
}

/**
 * Logs in with a partner's ticket, before any screen stands. Whoever is logged in here under another name is asked
 * first: the link may come from a stranger's page. Whoever was logged in before is so no longer, or still is when it
 * fails; otherwise login opens and says why. Returns what is to be said on the screen.
 */
export async function enterByLink(link: PartnerLink, lang: LocaleCode, ask: AskSwitch): Promise<Toast | null> {
  try {
    const current = await currentName();
    const isOther = current !== null && current !== link.username.trim().toLowerCase();
    if (isOther && !(await ask({ current, name: link.username }))) return null;
    const { token, tokensso, user } = await call(doLoginthird, { ...link, lang });
    // The session that nobody can use from here any more ends; it is asked while its token is still there.
    if (readStored("token")) void call(doLogout).catch(() => undefined);
    // The token last: its listeners then find the other one stored.
    writeStored("tokensso", tokensso);
    writeStored("token", token);
    return { text: text("session.welcome", { name: user.username }), tone: "good" };
  } catch (error) {
    const why = failureText(error, text);
    if (readStored("token")) return { text: why, tone: "bad" };
    openLogin(isLocked(error) ? { locked: why } : { refusal: why });
    return null;
  }
}

/** The user name of the session here; null without a running one. */
async function currentName(): Promise<string | null> {
  if (!readStored("token")) return null;
  try {
    return (await call(getUserInfo)).username;
  } catch (error) {
    // The session has ended: nobody is to be asked. In any other doubt the link fails too.
    if (error instanceof RefusedCall) return null;
    throw error;
  }
}

/** Leads back, once somebody has logged in, to where the link led. */
function openLogin(why: { refusal: string } | { locked: string }): void {
  const { pathname, search } = window.location;
  const isEntrance = /^\/(login|register)\/?$/i.test(pathname);
  browserHistory.replace("/Login", { ...why, ...(!isEntrance && { from: `${pathname}${search}` }) });
}
