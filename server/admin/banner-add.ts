import { max } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { banners } from "#db/schema/site.ts";
import { removePictures, storePicture } from "#server/pictures/store.ts";
import { NoPicture, pictureFile } from "#shared/picture.ts";
import { Misused, Refused, type Command } from "./command.ts";
import { BadFile, readPlainFile } from "./read-file.ts";

const MOST_BYTES = 20 * 1_048_576;

export const bannerAdd: Command = {
  usage: "FILE [--link L]",
  does: "Puts a picture behind the others on top of the home screen; L is a path of the app, or an https address",
  async run(operator, { args, options }) {
    const link = readLink(options.link ?? "/Home");
    const picture = await readPlainFile(args.FILE!, MOST_BYTES)
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
        await tx.insert(banners).values({ url, link, position: (last?.position ?? 0) + 1 });
      });
    } catch (error) {
      // A commit whose answer was lost may count.
      if (!isDatabaseAway(error)) await removePictures(operator.storage, [picture]);
      throw error;
    }
    return { text: `${url} is shown, and leads to ${link}.`, json: { ok: true, url, link } };
  },
};

function readLink(link: string): string {
  const isOurs = /^\/(?![/\\])[\x21-\x7e]*$/.test(link);
  if (!isOurs && !(link.startsWith("https://") && URL.canParse(link))) {
    throw new Misused("--link is a path such as /Video, or an address that begins with https://");
  }
  return link;
}
