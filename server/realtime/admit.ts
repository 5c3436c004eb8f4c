import type { Deps } from "#server/app/deps.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import { localeOf } from "#shared/locales.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import type { HubSocket } from "./socket.ts";

/**
 * Authenticates a socket. A bad token is refused with its code; no token is a guest. While the database is away every
 * token is refused, and the client retries.
 */
export async function admit(
  deps: Pick<Deps, "identify" | "text" | "log">,
  socket: HubSocket,
  ip: string,
): Promise<void> {
  const { token, tokensso, lang } = socket.handshake.auth as Record<string, unknown>;
  const locale = localeOf(lang);
  socket.data.locale = locale;
  socket.data.caller = null;
  if (token === undefined || token === null || token === "") return;
  try {
    if (typeof token !== "string") throw new Refusal("session.missing");
    const sso = typeof tokensso === "string" ? tokensso : undefined;
    socket.data.caller = await deps.identify(token.slice(0, 200), { ip, sso });
  } catch (error) {
    const { reason, detail } = refusalOf(error);
    if (reason === "server.fault") deps.log.error({ err: error }, "could not find out who opens a socket");
    const msg = detail.text ?? deps.text(locale, `refusal.${reason}`);
    throw Object.assign(new Error(msg), { data: { code: REFUSALS[reason].code, msg } });
  }
}
