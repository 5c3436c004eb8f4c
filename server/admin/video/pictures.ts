import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { Ffmpeg } from "#server/programs/ffmpeg.ts";
import type { PreviewStrip } from "#shared/video.ts";
import { Refused } from "#server/admin/command.ts";
import { inputOf, runProgram } from "./run-ffmpeg.ts";
import { reasonIn, type Source } from "./probe.ts";

const TIMEOUT_MS = 120_000;
const COLUMNS = 10;
const MOST_FRAMES = 100;
const FRAME_PX = 160;
/** The poster is chosen from so many frames of one second. */
const POSTER_FRAMES = 25;
export const STRIP_FILE = "strip.jpg";

/** The interval and number of the frames in a video's preview strip. */
export function stripOf({ durationMs }: Source): { everyMs: number; count: number } {
  const everyMs = Math.max(1_000, Math.ceil(durationMs / MOST_FRAMES));
  return { everyMs, count: Math.max(1, Math.floor(durationMs / everyMs)) };
}

/** ffmpeg's options that write the preview strip in the same pass as another output. */
export function stripArgs(source: Source): string[] {
  const { everyMs, count } = stripOf(source);
  const frame = `scale=${FRAME_PX}:${FRAME_PX}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const filter = `fps=1000/${everyMs},${frame},setsar=1,tile=${COLUMNS}x${Math.ceil(count / COLUMNS)}`;
  return ["-map", "0:V:0", "-vf", filter, "-frames:v", "1", "-update", "1", "-q:v", "6", STRIP_FILE];
}

/** Describes the preview strip in a folder, except for its final file name. */
export async function readStrip(folder: string, source: Source): Promise<Omit<PreviewStrip, "file">> {
  const { everyMs, count } = stripOf(source);
  const { width, height } = await sharp(join(folder, STRIP_FILE)).metadata();
  const rows = Math.ceil(count / COLUMNS);
  return { columns: COLUMNS, count, everyMs, width: width / COLUMNS, height: height / rows };
}

/** The poster comes from a tenth of the film, and no later than this: everybody may see the beginning. */
const LATEST_POSTER_MS = 4_000;

/** Writes the poster: the most representative frame of one second near the beginning. */
export async function takePoster({ ffmpeg }: Ffmpeg, file: string, folder: string, source: Source): Promise<void> {
  const at = (Math.min(LATEST_POSTER_MS, source.durationMs / 10) / 1_000).toFixed(3);
  const size = "scale=1080:1080:force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1";
  const filter = `fps=${POSTER_FRAMES},${size},thumbnail=${POSTER_FRAMES}`;
  const output = ["-map", "0:V:0", "-vf", filter, "-frames:v", "1", "-update", "1", "poster.png"];
  const args = ["-nostdin", "-v", "error", "-y", "-ss", at, "-t", "1", ...inputOf(file), ...output];
  const { ok, err } = await runProgram(ffmpeg, args, { limitMs: TIMEOUT_MS, cwd: folder });
  if (!ok) throw new Refused(`no poster could be made from it${reasonIn(err)}`);
}

export const readPoster = (folder: string): Promise<Buffer> => readFile(join(folder, "poster.png"));
