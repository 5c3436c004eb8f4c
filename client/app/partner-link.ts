import type { Toast } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { failureText } from "#client/text/use-failure-text.ts";
import { text } from "#client/text/i18n.ts";
import { doLoginthird, doLogout } from "#shared/contract/session.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { browserHistory } from "./history.ts";

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
 * Logs in with a partner's ticket, before any screen stands. Whoever was logged in here before is so no longer, or
 * still is when it fails; otherwise login opens and says why. Returns what is to be said on the screen.
 */
export async function enterByLink(link: PartnerLink, lang: LocaleCode): Promise<Toast | null> {
  try {
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
    openLogin(why);
    return null;
  }
}

/** Leads back, once somebody has logged in, to where the link led. */
function openLogin(refusal: string): void {
  const { pathname, search } = window.location;
  const isEntrance = /^\/(login|register)\/?$/i.test(pathname);
  browserHistory.replace("/Login", { refusal, ...(!isEntrance && { from: `${pathname}${search}` }) });
}
