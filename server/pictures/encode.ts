import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { NoPicture } from "#shared/picture.ts";
import { isPolyglot } from "./polyglot.ts";

/** The accepted formats, detected by the bytes, never by a name or a header. */
const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif"]);
/** More than any camera of a phone makes; a small file that claims more is a bomb. */
const MOST_PIXELS = 50_000_000;
const BLUR_PX = 100;
/** A picture that takes longer to decode is an attack. */
const TIMEOUT_S = 20;

/** The end of the queue. */
let queueTail: Promise<unknown> = Promise.resolve();

export interface PicturePlan {
  /** Of the files, from narrow to wide; a picture that is narrower is kept at its own width. */
  widths: readonly number[];
  formats: readonly ("avif" | "webp")[];
  /** Cut out of the middle. */
  square?: boolean;
}

export interface EncodedPicture {
  widths: number[];
  ratio: number;
  blur: string;
  files: { width: number; format: "avif" | "webp"; bytes: Buffer }[];
}

/**
 * Decodes a picture and re-encodes it: only its upright pixels remain, without metadata or anything else from the file.
 * A queue encodes one picture at a time, which leaves the processor to requests. Throws NoPicture.
 */
export const encodePicture = (bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture> =>
  oneAtATime(() => encodeNow(bytes, plan));

/** A stored picture as WebP, through the same queue. Higher quality would only preserve AVIF artefacts. */
export const webpOf = (stored: Uint8Array): Promise<Buffer> =>
  oneAtATime(() => sharp(stored).webp({ quality: 50 }).toBuffer());

function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = queueTail.then(work);
  queueTail = result.catch(() => {});
  return result;
}

async function encodeNow(bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture> {
  try {
    const upright = await decode(bytes, plan);
    const { width, height } = upright;
    const widths = [...new Set(plan.widths.map((wanted) => Math.min(wanted, width)))];
    const files: EncodedPicture["files"] = [];
    for (const wide of widths) {
      for (const format of plan.formats) {
        files.push({ width: wide, format, bytes: await encode(upright.picture.clone().resize(wide), format) });
      }
    }
    return { widths, ratio: height / width, blur: await blurOf(upright.picture), files };
  } catch (error) {
    if (error instanceof NoPicture) throw error;
    throw new NoPicture(`it cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** The pixels of its first frame, upright and no more of them than the plan needs. */
async function decode(
  bytes: Uint8Array,
  { widths, square }: PicturePlan,
): Promise<{ picture: Sharp; width: number; height: number }> {
  if (isPolyglot(bytes)) throw new NoPicture("it is something else besides");
  const input = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true });
  const { format, compression, autoOrient } = await input.metadata();
  if (!FORMATS.has(format) || (format === "heif" && compression !== "av1"))
    throw new NoPicture("it is no JPEG, PNG, WebP, GIF or AVIF");
  const { width, height } = autoOrient;
  const wide = Math.min(Math.max(...widths), square ? Math.min(width, height) : width);
  const { data, info } = await input
    .autoOrient()
    .resize(wide, square ? wide : null, { fit: "cover" })
    .toColourspace("srgb")
    .timeout({ seconds: TIMEOUT_S })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return { picture: sharp(data, { raw }), width: info.width, height: info.height };
}

const encode = (picture: Sharp, format: "avif" | "webp") =>
  (format === "avif" ? picture.avif({ quality: 55, effort: 4 }) : picture.webp({ quality: 80 })).toBuffer();

async function blurOf(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .clone()
    .resize(BLUR_PX, BLUR_PX, { fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}
