import { join } from "node:path";
import type { Picture } from "#shared/picture.ts";
import type { Captions, PreviewStrip, Rendition } from "#shared/video.ts";
import { dropPictures, keepPicture } from "#server/kept-pictures.ts";
import type { Operator } from "./command.ts";
import { readPoster, readStrip, STRIP_FILE } from "./video-pictures.ts";
import type { Source } from "./video-probe.ts";
import { readMade } from "./video-transcode.ts";

const NAME_BYTES = 16;

/** What an import has made, each part in its folder. */
export interface Ready {
  source: Source;
  renditions: string[];
  poster: string;
  captions: { lang: string; text: string } | null;
}

/** The files of a video, where they are served from. */
export interface StoredVideo {
  folder: string;
  poster: Picture;
  renditions: Rendition[];
  strip: PreviewStrip;
  captions: Captions[];
}

/** A name that nobody guesses. */
export const randomName = ({ random }: Pick<Operator, "random">, ending = ""): string =>
  `${Buffer.from(random(NAME_BYTES)).toString("hex")}${ending}`;

/** Copies everything into the storage, each file under a name that cannot be guessed. */
export async function storeVideo(operator: Operator, folder: string, ready: Ready): Promise<StoredVideo> {
  const { storage } = operator;
  // What an import that was cut off left there.
  await storage.remove(`${folder}/`);

  async function keep(content: Uint8Array | { file: string }, ending: string): Promise<string> {
    const name = randomName(operator, ending);
    await storage.put(`${folder}/${name}`, content);
    return name;
  }

  const renditions: Rendition[] = [];
  for (const from of ready.renditions) {
    const { segments: made, ...rest } = await readMade(from);
    const init = await keep({ file: join(from, "init.mp4") }, ".mp4");
    const segments: Rendition["segments"] = [];
    for (const { file, ms } of made) segments.push({ name: await keep({ file: join(from, file) }, ".m4s"), ms });
    renditions.push({ ...rest, init, segments });
  }
  const first = ready.renditions[0]!;
  const file = await keep({ file: join(first, STRIP_FILE) }, ".jpg");
  const strip = { file, ...(await readStrip(first, ready.source)) };
  const { captions: said } = ready;
  const captions = said ? [{ lang: said.lang, file: await keep(Buffer.from(said.text), ".vtt") }] : [];
  const poster = await keepPicture(operator, await readPoster(ready.poster));
  return { folder, poster, renditions, strip, captions };
}

/** Removes all files of a video. */
export async function dropVideo(
  { storage }: Pick<Operator, "storage">,
  { folder, poster }: { folder: string; poster: Picture | null },
): Promise<void> {
  await storage.remove(`${folder}/`);
  await dropPictures(storage, poster ? [poster] : []);
}
