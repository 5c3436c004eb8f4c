import { signTicket, TICKET_S } from "#server/domains/session/sso-ticket.ts";
import { Settings } from "#server/app/settings.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import { Refused, type Command } from "./command.ts";
import { readUsername } from "./read-words.ts";

export const ssoLink: Command = {
  usage: "NAME",
  does: "Prints a link that logs NAME in once, within 60 seconds; who is unknown becomes a member",
  async run({ db, clock, random, config }, { args }) {
    const username = readUsername(args.NAME!);
    const settings = new Settings(db);
    await settings.load();
    const secret = settings.get<string>("sso_secret");
    if (secret === "") throw new Refused("there is no sso_secret; see setting:set");
    const now = clock.now();
    const jti = Buffer.from(random(16)).toString("base64url");
    const sso = await signTicket({ secret, username, now, jti });
    const url = `${config.publicUrl}/?${new URLSearchParams({ sso, username })}`;
    return {
      text: `${url}\nIt logs ${username} in once, within ${TICKET_S} seconds.`,
      json: { ok: true, url, username, expires: toSeconds(now + TICKET_S * SECOND_MS) },
    };
  },
};
