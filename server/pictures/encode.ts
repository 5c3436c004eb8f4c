import { PictureProcess } from "./picture-process.ts";
import type { EncodedPicture, PicturePlan } from "./plan.ts";

/** One for each program: pictures are decoded one at a time, which leaves the processor to requests. */
const pictures = new PictureProcess();

/**
 * Decodes a picture and re-encodes it in a process of its own, with limits on memory and time (`picture-process.ts`).
 * Throws NoPicture, or PicturesAway where no process can be started.
 */
export const encodePicture = (bytes: Uint8Array, plan: PicturePlan): Promise<EncodedPicture> =>
  pictures.ask<EncodedPicture>({ do: "encode", bytes, plan });

/** A stored picture as WebP, through the same queue. */
export const webpOf = (stored: Uint8Array): Promise<Buffer> => pictures.ask<Buffer>({ do: "webp", bytes: stored });
