import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { Ffmpeg } from "#server/ffmpeg.ts";
import type { PreviewStrip } from "#shared/video.ts";
import { Refused } from "./command.ts";
import { inputOf, runProgram } from "./run-ffmpeg.ts";
import { reasonIn, type Source } from "./video-probe.ts";

const PATIENCE_MS = 120_000;
const COLUMNS = 10;
const MOST_FRAMES = 100;
const FRAME_PX = 160;
export const STRIP_FILE = "strip.jpg";

/** How often the strip of a video has a frame, and how many there are. */
export function stripOf({ durationMs }: Source): { everyMs: number; count: number } {
  const everyMs = Math.max(1_000, Math.ceil(durationMs / MOST_FRAMES));
  return { everyMs, count: Math.max(1, Math.floor(durationMs / everyMs)) };
}

/** What ffmpeg writes the strip with, while it reads the film for something else. */
export function stripArgs(source: Source): string[] {
  const { everyMs, count } = stripOf(source);
  const frame = `scale=${FRAME_PX}:${FRAME_PX}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const filter = `fps=1000/${everyMs},${frame},setsar=1,tile=${COLUMNS}x${Math.ceil(count / COLUMNS)}`;
  return ["-map", "0:v:0", "-vf", filter, "-frames:v", "1", "-update", "1", "-q:v", "6", STRIP_FILE];
}

/** The strip that lies in a folder; its file still has to be named. */
export async function readStrip(folder: string, source: Source): Promise<Omit<PreviewStrip, "file">> {
  const { everyMs, count } = stripOf(source);
  const { width, height } = await sharp(join(folder, STRIP_FILE)).metadata();
  const rows = Math.ceil(count / COLUMNS);
  return { columns: COLUMNS, count, everyMs, width: width / COLUMNS, height: height / rows };
}

/** Takes a picture that stands for the film, from near its beginning, where it shows something. */
export async function takePoster({ ffmpeg }: Ffmpeg, file: string, folder: string, source: Source): Promise<void> {
  const at = (source.durationMs / 10_000).toFixed(3);
  const filter = "scale=1080:1080:force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1,thumbnail=25";
  const output = ["-map", "0:v:0", "-vf", filter, "-frames:v", "1", "-update", "1", "poster.png"];
  const args = ["-nostdin", "-v", "error", "-y", "-ss", at, ...inputOf(file), ...output];
  const { ok, err } = await runProgram(ffmpeg, args, { limitMs: PATIENCE_MS, cwd: folder });
  if (!ok) throw new Refused(`no picture could be taken from it${reasonIn(err)}`);
}

export const readPoster = (folder: string): Promise<Buffer> => readFile(join(folder, "poster.png"));
