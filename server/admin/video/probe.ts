import * as z from "zod";
import type { Ffmpeg } from "#server/programs/ffmpeg.ts";
import { Refused } from "#server/admin/command.ts";
import { inputOf, runProgram } from "./run-ffmpeg.ts";

const TIMEOUT_MS = 30_000;
const MOST_HOURS = 4;
/** 4096 × 2304. More would exceed any phone, and cost the server too much memory. */
const MOST_PIXELS = 9_437_184;

const Probed = z.object({
  format: z.object({ duration: z.coerce.number().positive().optional().catch(undefined) }),
  streams: z.array(
    z.object({
      codec_type: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      duration: z.coerce.number().positive().optional().catch(undefined),
      disposition: z.object({ attached_pic: z.number().optional() }).optional(),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
    }),
  ),
});

/** A video as players show it: upright. */
export interface Source {
  width: number;
  height: number;
  durationMs: number;
  hasSound: boolean;
}

/** Probes a file, whatever its name. Throws Refused if it is no video, or too large. */
export async function probeVideo({ ffprobe }: Ffmpeg, file: string): Promise<Source> {
  const args = ["-v", "error", "-show_format", "-show_streams", "-of", "json", ...inputOf(file)];
  const { ok, out, err } = await runProgram(ffprobe, args, { limitMs: TIMEOUT_MS });
  if (!ok) throw new Refused(`it cannot be read as a video, or it is only part of one${reasonIn(err)}`);
  const { format, streams } = Probed.parse(JSON.parse(out));
  const video = streams.find((one) => one.codec_type === "video" && one.disposition?.attached_pic !== 1);
  if (!video?.width || !video.height) throw new Refused("it has no video track");
  if (video.width * video.height > MOST_PIXELS) throw new Refused("its resolution is above 4096 × 2304");
  const seconds = video.duration ?? format.duration;
  if (seconds === undefined) throw new Refused("it states no duration: it may be truncated");
  if (seconds > MOST_HOURS * 3_600) throw new Refused(`it is longer than ${MOST_HOURS} hours`);
  const isTurned = video.side_data_list?.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90) ?? false;
  const [width, height] = isTurned ? [video.height, video.width] : [video.width, video.height];
  const hasSound = streams.some((one) => one.codec_type === "audio");
  return { width, height, durationMs: Math.round(seconds * 1_000), hasSound };
}

/** The program's last error message, without the path of the file. */
export function reasonIn(err: string): string {
  const last = err.trim().split("\n").at(-1)?.trim() ?? "";
  const reason = last.split(": ").at(-1)!.slice(0, 200);
  return reason === "" ? "" : ` (${reason})`;
}
