import sharp from "sharp";
import { NoPicture } from "#shared/picture.ts";
import { encodeNow, webpNow } from "./decode.ts";
import type { PictureAnswer, PictureJob } from "./picture-process.ts";

/* The program that decodes pictures for the server: its memory is its own, and may be taken from it. */

// One picture, one thread, nothing kept.
sharp.concurrency(1);
sharp.cache(false);

const work = (job: PictureJob) => (job.do === "encode" ? encodeNow(job.bytes, job.plan) : webpNow(job.bytes));

function answer(message: PictureAnswer): void {
  process.send!(message);
}

process.on("message", (job: PictureJob) => {
  work(job).then(
    (done) => answer({ done }),
    (error: unknown) => answer({ failed: (error as Error).message, isNoPicture: error instanceof NoPicture }),
  );
});
