import { eq, sql } from "drizzle-orm";
import { invites } from "#db/schema/session.ts";
import { settings } from "#db/schema/site.ts";
import { Settings } from "#server/app/settings.ts";
import { INVITE_LETTERS, newSecret } from "#server/domains/account/typed-secret.ts";
import { changeBeacons, modeOfSetting } from "#server/domains/lottery/change-beacon.ts";
import { signTicket, TICKET_S } from "#server/domains/session/sso-ticket.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { SETTINGS } from "#server/domains/site/settings.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import { type Command, Misused, Refused } from "./command.ts";
import { readNumber, readUsername } from "./read-words.ts";

const MASK = "********";

export const settingList: Command = {
  usage: "",
  does: "Lists all settings and what they do; secrets are masked",
  reads: true,
  async run({ db }) {
    const set = new Map((await db.read.select().from(settings)).map(({ name, value }) => [name, value]));
    const list = Object.entries(SETTINGS).map(([name, { meaning, fallback, secret, local = false }]) => {
      const value = set.has(name) ? set.get(name) : fallback;
      return { name, value: secret && value !== "" ? MASK : value, default: !set.has(name), local, meaning };
    });
    const lines = list.map(
      (row) => `${row.name.padEnd(22)} ${JSON.stringify(row.value)}\n${" ".repeat(23)}${row.meaning}`,
    );
    return { text: lines.join("\n"), json: list };
  },
};

const isSecret = (name: string) => Object.hasOwn(SETTINGS, name) && SETTINGS[name]!.secret === true;

export const settingSet: Command = {
  usage: "NAME VALUE",
  does: "Changes a setting on every server and every connected client at once; - as VALUE asks for a secret",
  takeSecret(input) {
    const { NAME: name = "", VALUE: word = "" } = input.args;
    const isSaid = isSecret(name) && word !== "" && word !== "-";
    return isSaid ? { ...input, args: { ...input.args, VALUE: "-" }, secret: word } : input;
  },
  asks({ args: { NAME: name = "", VALUE: word = "" } }) {
    // Without a value, the setting is emptied.
    if (!isSecret(name) || word === "") return null;
    if (word === "-") return name;
    throw new Misused(
      `${name} is a secret, and others can read it here. Give - as its value: then type it, or end with < FILE`,
    );
  },
  async run(operator, { args, secret }) {
    const name = args.NAME!;
    try {
      const { value, from } = await operator.db.transact(async (tx) => {
        const value = await setSetting(tx, operator, name, secret ?? args.VALUE!);
        return { value, from: name === "beacon" ? await changeBeacons(tx, operator, modeOfSetting(value)) : [] };
      }, "fence");
      const shown = SETTINGS[name]!.secret ? MASK : JSON.stringify(value);
      if (from.length === 0) return { text: `${name} is ${shown} now.`, json: { ok: true, name } };
      const acts = from.map(({ game, from }) => `  ${game} from round ${from}`).join("\n");
      return { text: `${name} is ${shown} now. It acts on\n${acts}`, json: { ok: true, name, from } };
    } catch (error) {
      if (error instanceof Refusal && error.reason === "setting.unknown")
        throw new Refused(`there is no setting ${name}; see setting:list`);
      if (error instanceof Refusal) throw error;
      throw new Refused(`${name}: ${(error as Error).message}`);
    }
  },
};

const USES = [1, 1_000_000] as const;

export const inviteAdd: Command = {
  usage: "[CODE] [--uses N]",
  bounds: { uses: USES },
  does: "Adds an invite, and makes its code unless one is given; without --uses, any number of people can use it",
  async run({ db, clock, random }, { args, options }) {
    const code = args.CODE || newSecret(random, INVITE_LETTERS);
    if (!/^[\x21-\x7e]{1,64}$/.test(code)) throw new Misused("CODE must have 1 to 64 visible ASCII characters");
    const usesLeft = options.uses === undefined ? null : readNumber(options.uses, "--uses", ...USES);
    const row = { code, usesLeft, createdAt: clock.now() };
    const isMade = await db.transact(async (tx) => {
      const isSame = eq(sql`lower(${invites.code})`, code.toLowerCase());
      const [known] = await tx.select({ code: invites.code }).from(invites).where(isSame).limit(1);
      if (!known) await tx.insert(invites).values(row);
      return known === undefined;
    });
    if (!isMade) throw new Refused(`there already is an invite ${code}; choose another code`);
    return {
      text: `Invite ${code} works for ${usesLeft ?? "any number of"} people.`,
      json: { ok: true, code, uses: usesLeft },
    };
  },
};

export const ssoLink: Command = {
  usage: "NAME",
  does: "Prints a link that logs NAME in once, within 60 seconds; an unknown NAME becomes a member",
  async run({ db, clock, random, config }, { args }) {
    const username = readUsername(args.NAME!);
    const current = new Settings(db);
    await current.load();
    const secret = current.get<string>("sso_secret");
    if (secret === "") throw new Refused("sso_secret is not set: setting:set sso_secret -");
    const now = clock.now();
    const jti = Buffer.from(random(16)).toString("base64url");
    const sso = await signTicket({ secret, audience: new URL(config.publicUrl).origin, username, now, jti });
    const url = `${config.publicUrl}/?${new URLSearchParams({ sso, username })}`;
    return {
      text: `${url}\nIt logs ${username} in once, within ${TICKET_S} seconds.`,
      json: { ok: true, url, username, expires: toSeconds(now + TICKET_S * SECOND_MS) },
    };
  },
};
