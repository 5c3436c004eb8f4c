/**
 * Makes the clips of the demo anew and notes them in `videos.json`: `nice npx node tests/demo-makers/film/main.ts [code…]`.
 * A new clip's row with its code and its title in each language is written by hand first; so are its chapters.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { sceneOf, watchedS, type Clip } from "./clip.ts";
import { soundOf } from "./come-round.ts";
import { compose } from "./compose.ts";
import { measureGain, renderClip } from "./hls.ts";
import { PROGRAMME } from "./programme.ts";
import { HEIGHT, WIDTH } from "./surface.ts";
import { toWav } from "./tape.ts";

const DEMO = new URL("../../../db/demo/", import.meta.url).pathname;
const WIDTHS = [640];

interface Entry {
  code: string;
  title: object;
  chapters?: object[];
}

sharp.concurrency(1);
const asked = new Set(process.argv.slice(2));
for (const clip of PROGRAMME.filter(({ code }) => asked.size === 0 || asked.has(code))) {
  note(await make(clip));
}

/** Makes a clip aside and puts it in its place once it is whole. */
async function make(clip: Clip): Promise<Entry> {
  const { code, category } = clip;
  const scratch = mkdtempSync(join(tmpdir(), "film-"));
  const [folder, wav] = [join(scratch, code), join(scratch, "sound.wav")];
  mkdirSync(folder);
  writeFileSync(wav, toWav(soundOf(compose(clip.music, clip.seconds), sceneOf(clip))));
  const gain = await measureGain(wav);
  const { poster, rendition } = await renderClip(clip, HEIGHT, folder, wav, gain);
  const blur = await writePoster(poster, join(folder, "poster"));
  rmSync(`${DEMO}videos/${code}`, { recursive: true, force: true });
  cpSync(folder, `${DEMO}videos/${code}`, { recursive: true });
  rmSync(scratch, { recursive: true });
  const ratio = HEIGHT / WIDTH;
  const picture = { file: `${code}/poster`, widths: WIDTHS, ratio, blur };
  return {
    code,
    category,
    ...wordsOf(code),
    durationMs: watchedS(clip) * 1000,
    poster: picture,
    renditions: [rendition],
  } as Entry;
}

async function writePoster(bytes: Uint8Array, path: string): Promise<string> {
  const picture = () => sharp(bytes, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  for (const width of WIDTHS) {
    await picture().resize(width).avif({ quality: 30, effort: 4, tune: "ssim" }).toFile(`${path}-${width}.avif`);
  }
  const small = picture().resize(100, 100, { fit: "inside" }).ensureAlpha();
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

function wordsOf(code: string): Pick<Entry, "title" | "chapters"> {
  const entry = readEntries().find((one) => one.code === code);
  if (!entry) throw new Error(`${code} has no row with its title in videos.json`);
  return entry.chapters ? { title: entry.title, chapters: entry.chapters } : { title: entry.title };
}

/** In the order of the programme, one line a row, beside what was made before. */
function note(entry: Entry): void {
  const known = new Map(readEntries().map((before) => [before.code, before]));
  known.set(entry.code, entry);
  const ordered = PROGRAMME.flatMap(({ code }) => known.get(code) ?? []);
  writeFileSync(`${DEMO}videos.json`, `[\n${ordered.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}

function readEntries(): Entry[] {
  return JSON.parse(readFileSync(`${DEMO}videos.json`, "utf8")) as Entry[];
}
