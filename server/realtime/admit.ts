import type { Deps } from "#server/app/deps.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import { localeOf, namePacked } from "#shared/locales.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import type { HubSocket } from "./socket.ts";

/**
 * Authenticates a socket. A bad token is refused with its code, and one too many with 429; no token is a guest. While the database is away every
 * token is refused, and the client retries.
 */
export async function admit(
  deps: Pick<Deps, "identify" | "text" | "log" | "security">,
  socket: HubSocket,
  ip: string,
  refuseCrowd: () => void,
): Promise<void> {
  const { token, tokensso, lang } = socket.handshake.auth as Record<string, unknown>;
  const locale = localeOf(lang);
  socket.data.locale = locale;
  socket.data.caller = null;
  try {
    // Before the session is looked for, and with its member after it.
    refuseCrowd();
    const isGuest = token === undefined || token === null || token === "";
    if (isGuest) return;
    if (typeof token !== "string") throw new Refusal("session.missing");
    const sso = typeof tokensso === "string" ? tokensso : undefined;
    socket.data.caller = await deps.identify(token.slice(0, 200), { ip, sso });
    refuseCrowd();
  } catch (error) {
    const { reason, detail } = refusalOf(error);
    if (reason === "session.kicked") deps.security.note({ refused: reason, ip, reason });
    if (reason === "session.missing") deps.security.note({ refused: "session.unknown", ip, reason });
    if (reason === "attempts.many") deps.security.note({ refused: "rate.limited", ip, reason });
    const about = { socket: socket.id, reason };
    if (reason === "server.fault") deps.log.error({ err: error, ...about }, "a socket could not be authenticated");
    else deps.log.debug(about, "a socket was refused");
    const msg = detail.text === undefined ? deps.text(locale, `refusal.${reason}`) : namePacked(detail.text, locale);
    const { retryAfterS: retry_after_s } = detail;
    const code = { code: REFUSALS[reason].code, msg, ...(retry_after_s !== undefined && { retry_after_s }) };
    throw Object.assign(new Error(msg), { data: code });
  }
}
