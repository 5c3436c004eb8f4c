import { asc, eq, max } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { banners } from "#db/schema/site.ts";
import { removePictures, storePicture } from "#server/pictures/store.ts";
import { localText, mapLocalText, type LocalText } from "#shared/locales.ts";
import { NoPicture, PICTURE_WIDTHS, pictureFile } from "#shared/picture.ts";
import { Misused, Refused, type Command } from "./command.ts";
import { BadFile, readPlainFile } from "./read-file.ts";
import { readText } from "./read-words.ts";

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

export const bannerList: Command = {
  usage: "",
  does: "Lists the banners of the home screen, in their order",
  reads: true,
  async run({ db }) {
    const rows = await db.read.select().from(banners).orderBy(asc(banners.position));
    const json = rows.map(({ id, url, link, caption }) => ({
      id: bannerWireId(id),
      url,
      link,
      caption: caption === null ? "" : localText(caption, "en_us"),
    }));
    const lines = json.map(({ id, url, link, caption }) => [id, link, caption || url].join("  "));
    return { text: lines.join("\n") || "There are no banners.", json };
  },
};

export const bannerRemove: Command = {
  usage: "ID",
  does: "Takes a banner off the home screen, and deletes its picture",
  async run({ db, storage }, { args }) {
    const id = args.ID!;
    const row = /^bnr_([1-9]\d{0,14})$/.exec(id)?.[1];
    const gone =
      row === undefined
        ? []
        : await db.transact((tx) =>
            tx
              .delete(banners)
              .where(eq(banners.id, Number(row)))
              .returning({ url: banners.url }),
          );
    if (gone.length === 0) throw new Refused(`there is no banner ${id}; see banner:list`);
    // A picture of the demo is no file of the storage.
    const [, name, width] = /^(\/files\/.+)-(\d+)\.webp$/.exec(gone[0]!.url) ?? [];
    if (name) await removePictures(storage, [{ name, widths: [...PICTURE_WIDTHS, Number(width)] }]);
    return { text: `${id} is off the home screen.`, json: { ok: true, id } };
  },
};

const bannerWireId = (id: number) => `bnr_${id}`;

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
