import * as z from "zod";
import { setChapters } from "#server/domains/video/publish.ts";
import { readVideo, videoRowOf } from "#server/domains/video/read-videos.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Chapter } from "#shared/video.ts";
import { Misused, Refused, type Command } from "#server/admin/command.ts";
import { text } from "#server/admin/listing/import-file.ts";
import { refuseUnknown } from "./video.ts";

const MOST = 50;
const Chapters = z
  .array(z.strictObject({ start: z.int().min(0), title: text(100) }))
  .max(MOST)
  .refine((all) => all.length === 0 || all[0]!.start === 0, "the first chapter starts at 0")
  .refine(
    (all) => all.every(({ start }, i) => i === 0 || start > all[i - 1]!.start),
    "each chapter starts after the one before it",
  );

export const videoChapters: Command = {
  usage: "ID CHAPTERS",
  does: "Sets a video's chapters, in place of those it has; [] removes them",
  more: () =>
    'CHAPTERS is JSON: [{"start": 0, "title": T}, …]. start is in seconds; the first chapter starts at 0, each other one later. ' +
    `T is a text, or a map {"en_us": "…"} by language. ${MOST} chapters at most.`,
  async run(operator, { args }) {
    const id = args.ID!;
    const chapters = readChapters(args.CHAPTERS!);
    await operator.db
      .transact(async (tx) => {
        const { durationMs } = await readVideo(tx, videoRowOf(id));
        const last = chapters.at(-1)?.start ?? 0;
        if (last * SECOND_MS >= durationMs) throw new Refused(`${id} ends before second ${last}`);
        await setChapters(tx, operator, videoRowOf(id), chapters);
      })
      .catch(refuseUnknown(id));
    return { text: `${id} has ${chapters.length} chapters.`, json: { ok: true, id, chapters: chapters.length } };
  },
};

function readChapters(word: string): Chapter[] {
  const result = Chapters.safeParse(parseJson(word));
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
  throw new Misused(
    ["CHAPTERS", ...path.map((step) => (typeof step === "number" ? step + 1 : step))].join(" ") + `: ${message}`,
  );
}

function parseJson(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch (error) {
    throw new Misused(`CHAPTERS is not valid JSON (${(error as Error).message})`);
  }
}
