import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { NoPicture } from "#shared/picture.ts";
import type { EncodedPicture, PicturePlan } from "./plan.ts";
import { isPolyglot } from "./polyglot.ts";

/** The accepted formats, detected by the bytes, never by a name or a header. */
const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif"]);
/** A phone's camera makes fewer, as it is set; a small file that claims more is a bomb. */
const MOST_PIXELS = 24_000_000;
/** These are decoded whole, and to more bytes a pixel. */
const MOST_DENSE_PIXELS = 12_000_000;
const DENSE = new Set(["png", "gif", "heif"]);
const BLUR_PX = 100;
/** A picture that takes longer to decode is an attack. */
const TIMEOUT_S = 15;

/** Decodes a picture and re-encodes it: only its upright pixels remain, without metadata or anything else from the file. */
export async function encodeNow(bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture> {
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
  if (isPolyglot(bytes)) throw new NoPicture("it is also a file of another format");
  const input = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true });
  const { format, compression, autoOrient } = await input.metadata();
  if (!FORMATS.has(format) || (format === "heif" && compression !== "av1"))
    throw new NoPicture("it is not a JPEG, PNG, WebP, GIF or AVIF");
  const { width, height } = autoOrient;
  if (DENSE.has(format) && width * height > MOST_DENSE_PIXELS) throw new NoPicture("it has too many pixels");
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

/** A stored picture as WebP. Higher quality would only preserve AVIF artefacts. */
export const webpNow = (stored: Uint8Array): Promise<Buffer> => sharp(stored).webp({ quality: 50 }).toBuffer();
