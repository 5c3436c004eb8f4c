/** A picture that somebody brings is no larger, in bytes. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;

/** The kinds of pictures that are taken. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;

/** The bytes are no picture that is taken. The message says why, in English. */
export class NoPicture extends Error {
  override name = "NoPicture";
}

/** A picture as it is kept: its files are `<name>-<width>.avif` and `.webp`, one for each width. */
export interface Picture {
  /** Without width and ending: root-relative, `/files/pictures/…`; of a video's poster, within the video's folder. */
  name: string;
  /** From narrow to wide, in pixels; the last is the picture's own. */
  widths: number[];
  /** Height ÷ width. */
  ratio: number;
  /** A thumbhash (evanw/thumbhash) of it, base64: what is shown, blurred, until it is there. */
  blur: string;
}

export const PICTURE_FORMATS = ["avif", "webp"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** How wide the pictures of listings and banners are kept, in pixels. */
export const PICTURE_WIDTHS = [320, 640, 1080] as const;
/** What is shown where nothing better is known: enough for most phones. */
const MIDDLE_PX = 640;

/** The address of one file of a picture. */
export const pictureFile = (name: string, width: number, format: PictureFormat): string => `${name}-${width}.${format}`;

/** The addresses of all files of a picture. */
export const pictureFiles = ({ name, widths }: Pick<Picture, "name" | "widths">): string[] =>
  widths.flatMap((width) => PICTURE_FORMATS.map((format) => pictureFile(name, width, format)));

/** The address that stands for a picture: its `.webp` of a middle width. */
export function pictureUrl({ name, widths }: Pick<Picture, "name" | "widths">): string {
  return pictureFile(name, widths.find((width) => width >= MIDDLE_PX) ?? widths.at(-1)!, "webp");
}

/** All files of one format, as a `srcset`, from the address that stands for a picture. */
export function pictureSrcset(url: string, widths: readonly number[], format: PictureFormat): string {
  const name = url.replace(/-\d+\.webp$/, "");
  return widths.map((width) => `${pictureFile(name, width, format)} ${width}w`).join(", ");
}
