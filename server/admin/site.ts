import { eq, max, sql } from "drizzle-orm";
import * as z from "zod";
import { isDatabaseAway } from "#db/away.ts";
import { plans } from "#db/schema/member.ts";
import { invites } from "#db/schema/session.ts";
import { banners, settings } from "#db/schema/site.ts";
import { Settings } from "#server/app/settings.ts";
import { changeBeacons, modeOfSetting } from "#server/domains/lottery/change-beacon.ts";
import { signTicket, TICKET_S } from "#server/domains/session/sso-ticket.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { SETTINGS } from "#server/domains/site/settings.ts";
import { removePictures, storePicture } from "#server/pictures/store.ts";
import { LOCALES, mapLocalText, type LocalText } from "#shared/locales.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";
import { NoPicture, pictureFile } from "#shared/picture.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import { type Command, Misused, Refused } from "./command.ts";
import { BadFile, readJsonFile, readPlainFile } from "./read-file.ts";
import { readNumber, readText, readUsername } from "./read-words.ts";

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

export const settingSet: Command = {
  usage: "NAME VALUE",
  does: "Changes a setting on every server and every connected client at once; - as VALUE asks for a secret",
  asks({ args: { NAME: name = "", VALUE: word = "" } }) {
    // Without a value, the setting is emptied.
    if (!Object.hasOwn(SETTINGS, name) || !SETTINGS[name]!.secret || word === "") return null;
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

export const noticeAdd: Command = {
  usage: "--name T --text T",
  local: ["name", "text"],
  does: 'Publishes a notice; T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { options }) {
    const [name, text] = [readText(options.name!, "--name"), readText(options.text!, "--text")];
    const id = await operator.db.transact((tx) => addNotice(tx, operator, name, text));
    return { text: `Notice ntc_${id} is published.`, json: { ok: true, id: `ntc_${id}` } };
  },
};

const USES = [1, 1_000_000] as const;

export const inviteAdd: Command = {
  usage: "CODE [--uses N]",
  bounds: { uses: USES },
  does: "Adds an invite; without --uses, any number of people can use it",
  async run({ db, clock }, { args, options }) {
    const code = args.CODE!;
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

const codes = LOCALES.map(({ code }) => code);
const Plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
      name: z.union([z.string().min(1), z.partialRecord(z.enum(codes), z.string().min(1))]),
      days: z.int().min(1).max(3_660),
      price: z.int().min(1).max(MAX_UNITS),
    }),
  )
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "an id appears twice");

export const planSet: Command = {
  usage: "FILE.json",
  does: "Sets the membership plans: [{ id, name, days, price }], price in whole units; plans left out are no longer sold",
  async run({ db }, { args }) {
    const wanted = readJsonFile(args["FILE.json"]!, Plans);
    await db.transact(async (tx) => {
      await tx.update(plans).set({ sold: false });
      for (const [position, { price, ...plan }] of wanted.entries()) {
        const row = { ...plan, price: fromUnits(price), position, sold: true };
        await tx.insert(plans).values(row).onConflictDoUpdate({ target: plans.id, set: row });
      }
    });
    return { text: `${wanted.length} plans are on sale now.`, json: { ok: true, plans: wanted.length } };
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

const MOST_BANNER_BYTES = 20 * 1_048_576;

export const bannerAdd: Command = {
  usage: "FILE [--link L] [--caption T]",
  local: ["caption"],
  does: 'Adds a picture as the last banner of the home screen; L is a path of the app, or an https address; T stands over it: a text of at most 40 characters, or JSON {"en_us": "…"} by language',
  async run(operator, { args, options }) {
    const link = readLink(options.link ?? "/Home");
    const caption = options.caption === undefined ? null : readCaption(options.caption);
    const picture = await readPlainFile(args.FILE!, MOST_BANNER_BYTES)
      .then((bytes) => storePicture(operator, bytes))
      .catch((error: Error) => {
        throw error instanceof BadFile || error instanceof NoPicture
          ? new Refused(`${args.FILE}: ${error.message}`)
          : error;
      });
    const url = pictureFile(picture.name, picture.widths.at(-1)!, "webp");
    try {
      await operator.db.transact(async (tx) => {
        const [last] = await tx.select({ position: max(banners.position) }).from(banners);
        await tx.insert(banners).values({ url, link, caption, position: (last?.position ?? 0) + 1 });
      });
    } catch (error) {
      // After a lost answer the commit may still count.
      if (!isDatabaseAway(error)) await removePictures(operator.storage, [picture]);
      throw error;
    }
    return { text: `${url} is shown and links to ${link}.`, json: { ok: true, url, link } };
  },
};

/** The longest caption, in characters: a banner has room for three lines of large text. */
const MOST_CAPTION = 40;

function readCaption(word: string): LocalText {
  const caption = mapLocalText(readText(word, "--caption"), (part) => part.trim());
  const parts = typeof caption === "string" ? [caption] : Object.values(caption);
  const isFit = parts.length > 0 && parts.every((part) => part !== "" && [...part].length <= MOST_CAPTION);
  if (!isFit) throw new Misused(`--caption must have 1 to ${MOST_CAPTION} characters in each language`);
  return caption;
}

function readLink(link: string): string {
  const isOurs = /^\/(?![/\\])[\x21-\x7e]*$/.test(link);
  if (!isOurs && !(link.startsWith("https://") && URL.canParse(link))) {
    throw new Misused("--link must be a path such as /Video, or an address that begins with https://");
  }
  return link;
}
