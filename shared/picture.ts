/** The largest upload, in bytes. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;

/** The accepted types of uploads. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;

/** The bytes are no accepted picture. The message says why, in English. */
export class NoPicture extends Error {
  override name = "NoPicture";
}

/** A picture as it is stored: its files are `<name>-<width>.avif` and `.webp`, one for each width. */
export interface Picture {
  /** Without width and extension: root-relative, `/files/pictures/…`; a poster's is relative to its video's folder. */
  name: string;
  /** In pixels, ascending; the last is the picture's own. */
  widths: number[];
  /** Height ÷ width. */
  ratio: number;
  /** Its thumbhash (evanw/thumbhash), base64: a blurred placeholder until it has loaded. */
  blur: string;
}

export const PICTURE_FORMATS = ["avif", "webp"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** The stored widths of listings' pictures and banners, in pixels. */
export const PICTURE_WIDTHS = [320, 640, 1080] as const;
/** The width to show when nothing better is known: enough for most phones. */
const MIDDLE_PX = 640;

/** The address of one file of a picture. */
export const pictureFile = (name: string, width: number, format: PictureFormat): string => `${name}-${width}.${format}`;

/** The addresses of all files of a picture. */
export const pictureFiles = ({ name, widths }: Pick<Picture, "name" | "widths">): string[] =>
  widths.flatMap((width) => PICTURE_FORMATS.map((format) => pictureFile(name, width, format)));

/** A picture's representative address: its `.webp` of a middle width. */
export function pictureUrl({ name, widths }: Pick<Picture, "name" | "widths">): string {
  return pictureFile(name, widths.find((width) => width >= MIDDLE_PX) ?? widths.at(-1)!, "webp");
}

/** All files of one format as a `srcset`, from the picture's representative address. */
export function pictureSrcset(url: string, widths: readonly number[], format: PictureFormat): string {
  const name = url.replace(/-\d+\.webp$/, "");
  return widths.map((width) => `${pictureFile(name, width, format)} ${width}w`).join(", ");
}
