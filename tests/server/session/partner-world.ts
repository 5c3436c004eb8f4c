import { ssoTickets } from "#db/schema/session.ts";
import { set } from "../../support/operator.ts";
import { SSO_SECRET, ticketFor } from "../../support/partner.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { everything } from "../http/furnished.ts";

/** A server with a partner. */
export async function partnerWorld(env: Record<string, string> = {}): Promise<World> {
  const w = await world({ env });
  await set(w, "sso_secret", SSO_SECRET);
  return w;
}

const HOME = "192.0.2.7";

/** Shows a ticket, by default a good one. */
export const enter = (w: World, username: string, sso = ticketFor(username, w.now()), from = HOME) =>
  send(w, {
    path: "/member/doLoginthird",
    payload: new URLSearchParams({ sso, username, lang: "en_us" }).toString(),
    lang: "en_us",
    remoteAddress: from,
  });

/** Asks who a session's member is, with both tokens or one of them. */
export const whoHolds = (w: World, token: string, tokensso?: string) =>
  send(w, {
    method: "GET",
    path: "/member/getUserInfo",
    token,
    lang: "en_us",
    remoteAddress: HOME,
    ...(tokensso !== undefined && { headers: { tokensso } }),
  });

export const spentTickets = ({ deps }: World) => deps.db.read.select().from(ssoTickets);

/** Every row except the counted attempts: to see that nothing changed. */
export const traces = (w: World) => everything(w, ["attempts"]);
