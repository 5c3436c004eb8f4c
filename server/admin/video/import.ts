import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { asc, eq } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { videoCategories, videos } from "#db/schema/video.ts";
import { faultOfCaptions } from "#server/domains/video/captions.ts";
import { publishVideo } from "#server/domains/video/publish.ts";
import { ffmpegOnPath, type Ffmpeg } from "#server/programs/ffmpeg.ts";
import { Progress } from "#server/programs/progress.ts";
import { LOCALES, type LocalText } from "#shared/locales.ts";
import { videoWireId } from "#shared/video.ts";
import { Misused, Refused, type Command, type Operator } from "#server/admin/command.ts";
import { readText } from "#server/admin/read-words.ts";
import { BadFile, readPlainFile } from "#server/admin/read-file.ts";
import { stripArgs, takePoster } from "./pictures.ts";
import { probeVideo } from "./probe.ts";
import { dropVideo, randomName, storeVideo, type Ready } from "./store.ts";
import { sizesOf, transcode } from "./transcode.ts";
import { hashFile, WorkFolder } from "./work-folder.ts";

const MOST_BYTES = 16 * 1_024 ** 3;
const MOST_CAPTIONS = 1_048_576;

const NO_FFMPEG =
  "ffmpeg and ffprobe convert the video, and they are not installed. Install ffmpeg (Debian and Ubuntu: apt-get install ffmpeg; macOS: " +
  "brew install ffmpeg; Windows: winget install ffmpeg) and run this again";

export const videoImport: Command = {
  usage: "FILE --title T --category KEY [--captions FILES]",
  local: ["title"],
  does: 'Adds a video; T is a text, or JSON {"en_us": "…"} by language. An interrupted import resumes when it is run again',
  more: () =>
    "The category is one of video:category. FILES is CODE=F, several joined by commas: F is a WebVTT file in the language CODE.",
  async run(operator, { args, options }) {
    const title = readText(options.title!, "--title");
    const captions = await readCaptions(options.captions);
    const categoryId = await findCategory(operator, options.category!);
    const tools = ffmpegOnPath();
    if (!tools) throw new Refused(NO_FFMPEG);
    const file = resolve(args.FILE!);
    await refuseNoFile(file);
    const id = await importFile(operator, tools, file, { title, categoryId, captions });
    return { text: `Video ${videoWireId(id)} is published.`, json: { ok: true, id: videoWireId(id) } };
  },
};

interface Details {
  title: LocalText;
  categoryId: number;
  captions: Ready["captions"];
}

/** Returns the id of the video. */
async function importFile(operator: Operator, tools: Ffmpeg, file: string, details: Details): Promise<number> {
  const source = await hashFile(file);
  const work = await WorkFolder.enter(operator.config.dataDir, source);
  try {
    const [known] = await operator.db.read.select({ id: videos.id }).from(videos).where(eq(videos.source, source));
    if (known) throw new Refused(`it was imported already, as ${videoWireId(known.id)}`);
    const ready = await convert(tools, file, work);
    const id = await publish(operator, work, source, { ...ready, captions: details.captions }, details);
    await work.remove();
    return id;
  } catch (error) {
    // A second try would be refused too.
    if (error instanceof Refused) await work.remove();
    throw error;
  } finally {
    await work.leave();
  }
}

/** The slow part: each step is done once. */
async function convert(tools: Ffmpeg, file: string, work: WorkFolder): Promise<Omit<Ready, "captions">> {
  const source = await probeVideo(tools, file);
  const progress = new Progress();
  const renditions: string[] = [];
  try {
    for (const [i, size] of sizesOf(source).entries()) {
      const step = `${size.side}p`;
      const onProgress = (done: number) => progress.show(step, done);
      const more = i === 0 ? stripArgs(source) : [];
      const make = (folder: string) => transcode(tools, size, { file, folder, source, onProgress }, more);
      renditions.push(await work.once(step, make));
    }
    const poster = await work.once("poster", (folder) => takePoster(tools, file, folder, source));
    return { source, renditions, poster };
  } finally {
    progress.end();
  }
}

/** Publishes the video. On a failure it removes the stored files. */
async function publish(operator: Operator, work: WorkFolder, source: string, ready: Ready, details: Details) {
  const folder = await work.remember("folder", () => `videos/${randomName(operator)}`);
  const stored = await storeVideo(operator, folder, ready);
  try {
    const lengths = stored.renditions.map(({ segments }) => segments.reduce((sum, { ms }) => sum + ms, 0));
    const { title, categoryId } = details;
    const video = { ...stored, source, title, categoryId, durationMs: Math.min(...lengths) };
    const id = await operator.db.transact((tx) => publishVideo(tx, operator, video));
    if (id === null) throw new Refused("it was imported already");
    return id;
  } catch (error) {
    // After a lost answer the commit may still count.
    if (!isDatabaseAway(error)) await dropVideo(operator, stored);
    throw error;
  }
}

async function findCategory({ db }: Operator, key: string): Promise<number> {
  const rows = await db.read.select().from(videoCategories).orderBy(asc(videoCategories.position));
  const found = rows.find((category) => category.key === key);
  if (found) return found.id;
  const there = rows.map((category) => category.key).join(", ");
  throw new Refused(
    `there is no category ${key}: ${there === "" ? "there is none yet" : `there are ${there}`}; add one with video:category`,
  );
}

async function refuseNoFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Refused(found ? "it is not a regular file" : "there is no such file");
  if (found.size > MOST_BYTES) throw new Refused(`it is larger than ${MOST_BYTES / 1_024 ** 3} GiB`);
}

/** Reads `CODE=F,…`: a WebVTT file for each language. */
async function readCaptions(given: string | undefined): Promise<Ready["captions"]> {
  const captions: Ready["captions"] = [];
  for (const part of given?.split(",") ?? []) {
    const [, lang, file] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (lang === undefined || file === undefined) throw new Misused("--captions is CODE=F, several joined by commas");
    const locale = LOCALES.find(({ code, tag }) => code === lang || tag === lang);
    if (!locale)
      throw new Misused(`the language of --captions is one of ${LOCALES.map(({ code }) => code).join(", ")}`);
    if (captions.some((one) => one.lang === locale.tag)) throw new Misused(`--captions names ${lang} twice`);
    captions.push({ lang: locale.tag, text: await readVtt(file) });
  }
  return captions;
}

async function readVtt(file: string): Promise<string> {
  const bytes = await readPlainFile(file, MOST_CAPTIONS).catch((error: Error) => {
    throw error instanceof BadFile ? new Refused(`${file}: ${error.message}`) : error;
  });
  const text = bytes.toString("utf8");
  const fault = faultOfCaptions(text);
  if (fault !== null) throw new Refused(`${file}: ${fault}`);
  return text;
}
