import { desc, eq } from "drizzle-orm";
import { videoCategories, videos } from "#db/schema/video.ts";
import { removeVideo, setCategory } from "#server/domains/video/publish.ts";
import { videoRowOf } from "#server/domains/video/read-videos.ts";
import { localText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { toIso } from "#shared/time.ts";
import { videoWireId } from "#shared/video.ts";
import { Misused, Refused, type Command } from "#server/admin/command.ts";
import { readText } from "#server/admin/read-words.ts";
import { dropVideo } from "./store.ts";

export const videoCategory: Command = {
  usage: "KEY NAME",
  local: ["NAME"],
  does: 'Adds a category of videos, or renames it; NAME is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args }) {
    const key = args.KEY!;
    if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(key))
      throw new Misused("KEY must have 1 to 32 of a–z, 0–9, - and _, and begin with a letter or digit");
    const name = readText(args.NAME!, "NAME");
    await operator.db.transact((tx) => setCategory(tx, operator, key, name));
    return { text: `Category ${key} is saved.`, json: { ok: true, key } };
  },
};

export const videoList: Command = {
  usage: "",
  does: "Lists all videos, newest first",
  reads: true,
  async run({ db }) {
    const { id, title, durationMs, plays, publishedAt, demo } = videos;
    const rows = await db.read
      .select({ id, title, category: videoCategories.key, durationMs, plays, publishedAt, demo })
      .from(videos)
      .innerJoin(videoCategories, eq(videoCategories.id, videos.categoryId))
      .orderBy(desc(id));
    const json = rows.map((row) => ({ ...row, id: videoWireId(row.id), title: localText(row.title, "en_us") }));
    const lines = json.map((row) =>
      [
        row.id,
        toIso(row.publishedAt),
        row.category,
        `${Math.round(row.durationMs / 1_000)} s`,
        row.plays,
        row.title,
      ].join("  "),
    );
    return { text: lines.join("\n") || "There are no videos.", json };
  },
};

export const videoRemove: Command = {
  usage: "ID",
  does: "Deletes a video and all its files for good",
  async run(operator, { args }) {
    const id = args.ID!;
    const gone = await operator.db.transact((tx) => removeVideo(tx, operator, videoRowOf(id))).catch(refuseUnknown(id));
    await dropVideo(operator, gone);
    return { text: `${id} is deleted.`, json: { ok: true, id } };
  },
};

export const refuseUnknown = (id: string) => (error: unknown) => {
  if (error instanceof Refusal && error.reason === "object.unknown") throw new Refused(`there is no video ${id}`);
  throw error;
};
