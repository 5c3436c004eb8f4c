import type { Caller, Deps } from "#server/deps.ts";
import { localeOf, type LocaleCode } from "#shared/locales.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import type { HubSocket } from "./hub.ts";

export interface SocketData {
  /** Null for a guest. */
  caller: Caller | null;
  locale: LocaleCode;
}

/** Finds out who opens a socket. A bad token is refused with its code; none at all is a guest. */
export async function admit(deps: Pick<Deps, "identify" | "text">, socket: HubSocket): Promise<void> {
  const { token, tokensso, lang } = socket.handshake.auth as Record<string, unknown>;
  const locale = localeOf(lang);
  socket.data.locale = locale;
  socket.data.caller = null;
  if (token === undefined || token === null || token === "") return;
  try {
    if (typeof token !== "string") throw new Refusal("session.missing");
    const sso = typeof tokensso === "string" ? tokensso : undefined;
    socket.data.caller = await deps.identify(token.slice(0, 200), { ip: socket.handshake.address, sso });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const msg = error.detail.text ?? deps.text(locale, `refusal.${error.reason}`);
    throw Object.assign(new Error(msg), { data: { code: REFUSALS[error.reason].code, msg } });
  }
}
