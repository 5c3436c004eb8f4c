import { join } from "node:path";
import { PICTURE_FORMATS, PICTURE_WIDTHS, pictureFile, type Picture } from "#shared/picture.ts";
import type { Captions, PreviewStrip, Rendition } from "#shared/video.ts";
import { encodePicture } from "#server/pictures/encode.ts";
import type { Operator } from "#server/admin/command.ts";
import { readPoster, readStrip, STRIP_FILE } from "./pictures.ts";
import type { Source } from "./probe.ts";
import { readMade } from "./transcode.ts";

const NAME_BYTES = 16;

/** The converted parts of an import, each in its folder. */
export interface Ready {
  source: Source;
  renditions: string[];
  poster: string;
  captions: { lang: string; text: string }[];
}

/** A video's files in the storage. */
export interface StoredVideo {
  folder: string;
  poster: Picture;
  renditions: Rendition[];
  strip: PreviewStrip;
  captions: Captions[];
}

/** A name that nobody can guess. */
export const randomName = ({ random }: Pick<Operator, "random">, ending = ""): string =>
  `${Buffer.from(random(NAME_BYTES)).toString("hex")}${ending}`;

/** Copies everything into the storage, each file under a name that cannot be guessed. */
export async function storeVideo(operator: Operator, folder: string, ready: Ready): Promise<StoredVideo> {
  const { storage } = operator;
  // An interrupted import may have left files there.
  await storage.remove(`${folder}/`);

  async function put(content: Uint8Array | { file: string }, ending: string): Promise<string> {
    const name = randomName(operator, ending);
    await storage.put(`${folder}/${name}`, content);
    return name;
  }

  const renditions: Rendition[] = [];
  for (const from of ready.renditions) {
    const { segments: made, ...rest } = await readMade(from);
    const init = await put({ file: join(from, "init.mp4") }, ".mp4");
    const segments: Rendition["segments"] = [];
    for (const { file, ms } of made) segments.push({ name: await put({ file: join(from, file) }, ".m4s"), ms });
    renditions.push({ ...rest, init, segments });
  }
  const first = ready.renditions[0]!;
  const file = await put({ file: join(first, STRIP_FILE) }, ".jpg");
  const strip = { file, ...(await readStrip(first, ready.source)) };
  const captions: Captions[] = [];
  for (const { lang, text } of ready.captions) captions.push({ lang, file: await put(Buffer.from(text), ".vtt") });
  const poster = await storePoster(operator, folder, await readPoster(ready.poster));
  return { folder, poster, renditions, strip, captions };
}

/** Stores the poster in all sizes beside the other files. */
async function storePoster(operator: Operator, folder: string, bytes: Uint8Array): Promise<Picture> {
  const { files, ...shape } = await encodePicture(bytes, { widths: PICTURE_WIDTHS, formats: PICTURE_FORMATS });
  const name = randomName(operator);
  for (const { width, format, bytes: file } of files) {
    await operator.storage.put(`${folder}/${pictureFile(name, width, format)}`, file);
  }
  return { name, ...shape };
}

/** Removes all files of a video. */
export function dropVideo({ storage }: Pick<Operator, "storage">, { folder }: { folder: string }): Promise<void> {
  return storage.remove(`${folder}/`);
}
