import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUCKET, type S3Server } from "../support/s3-server.ts";

/** Where members' pictures lie. */
export interface KeptFiles {
  /** Whether a picture is there whole after a power cut at a moment, which left this image of the disk. */
  isWhole(path: string, image: Map<string, Buffer>, atMs: number): boolean;
}

const UPLOADS = "files/uploads";

/** A folder with all that is in it now; each disk that has one of these pictures is to have it so. */
export function inFolder(root: string): KeptFiles {
  const names = readdirSync(join(root, UPLOADS));
  const whole = new Map(names.map((name) => [`/${UPLOADS}/${name}`, readFileSync(join(root, UPLOADS, name))]));
  return {
    isWhole(path, image) {
      const bytes = whole.get(path);
      return bytes !== undefined && image.get(path.slice(1))?.equals(bytes) === true;
    },
  };
}

/**
 * A bucket has power of its own: what it took by then is there, in one piece. Two processes read the time, so moments
 * closer than `slackMs` have no order.
 */
export function inBucket(bucket: S3Server, prefix: string, slackMs: number): KeptFiles {
  return {
    isWhole(path, _image, atMs) {
      const key = `/${BUCKET}/${prefix}${path.slice("/files".length)}`;
      const puts = bucket.asked.filter(({ method, path: at }) => method === "PUT" && at.split("?")[0] === key);
      return puts.some(({ doneMs }) => doneMs !== null && doneMs < atMs + slackMs);
    },
  };
}
