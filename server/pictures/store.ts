import { PICTURE_FORMATS, PICTURE_WIDTHS, pictureFile, pictureFiles, type Picture } from "#shared/picture.ts";
import type { Deps } from "#server/app/deps.ts";
import { encodePicture } from "./encode.ts";
import type { Storage } from "#server/storage/storage.ts";

const NAME_BYTES = 16;

/** What tells a picture's files. */
type Stored = Pick<Picture, "name" | "widths">;

/** What the storage calls what is served at an address below `/files/`. */
const storedAs = (address: string) => address.replace(/^\/files\//, "");

/** Re-encodes an operator's picture and stores it under a random name. Throws NoPicture, and then stores nothing. */
export async function storePicture(
  { storage, random }: Pick<Deps, "storage" | "random">,
  bytes: Uint8Array,
): Promise<Picture> {
  const { widths, ratio, blur, files } = await encodePicture(bytes, {
    widths: PICTURE_WIDTHS,
    formats: PICTURE_FORMATS,
  });
  const picture = { name: `/files/pictures/${Buffer.from(random(NAME_BYTES)).toString("hex")}`, widths, ratio, blur };
  try {
    for (const { width, format, bytes: file } of files) {
      await storage.put(storedAs(pictureFile(picture.name, width, format)), file);
    }
  } catch (error) {
    await removePictures(storage, [picture]);
    throw error;
  }
  return picture;
}

/** Removes all files of pictures. A missing file is no error. */
export async function removePictures(storage: Storage, pictures: readonly Stored[]): Promise<void> {
  for (const file of pictures.flatMap(filesOf)) await storage.remove(file);
}

/** What the storage calls a picture's files. */
export const filesOf = (picture: Stored): string[] => pictureFiles(picture).map(storedAs);
