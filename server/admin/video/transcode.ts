import { readFile, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Ffmpeg } from "#server/programs/ffmpeg.ts";
import { Refused } from "#server/admin/command.ts";
import { inputOf, runProgram, words } from "./run-ffmpeg.ts";
import { reasonIn, type Source } from "./probe.ts";

/** The shorter side of each size, and what it may need at most, in kbit/s. */
const SIZES = [
  { side: 360, rate: 800, sound: 96 },
  { side: 720, rate: 2_800, sound: 128 },
] as const;
const SEGMENT_S = 4;
/** How many pictures ffmpeg wrote into a folder. */
const FRAMES_FILE = "frames";
/** No more of a file is converted, whatever duration it claims. */
const MOST_S = 4 * 3_600 + 60;
/** An import that takes so many times the length of its film is stuck. */
const MAX_SLOWNESS = 40;
const MIN_TIMEOUT_MS = 10 * 60_000;
/** The largest single allocation of ffmpeg. */
const MOST_BYTES = 512 * 1_048_576;
/** How much may be missing at the end of a complete film: its sound may be shorter than its picture. */
const missing = (durationMs: number) => Math.max(1_500, durationMs / 50);

export interface Size {
  side: number;
  rate: number;
  sound: number;
}

/** The sizes to convert a source to: never larger than the source. */
export function sizesOf({ width, height }: Source): Size[] {
  const side = Math.floor(Math.min(width, height) / 2) * 2;
  return SIZES.filter((size, i) => i === 0 || SIZES[i - 1]!.side < side).map((size) => ({
    ...size,
    side: Math.min(size.side, side),
  }));
}

/** Square pixels, upright, even sides, no enlargement. */
const scale = (side: number) =>
  `scale=trunc(iw*sar/2)*2:trunc(ih/2)*2,setsar=1,` +
  `scale=if(gt(iw\\,ih)\\,-2\\,min(${side}\\,iw)):if(gt(iw\\,ih)\\,min(${side}\\,ih)\\,-2)`;

const picture = ({ side, rate }: Size) =>
  words(
    `-map 0:V:0 -vf ${scale(side)} -t ${MOST_S} -fpsmax 30 -pix_fmt yuv420p -c:v libx264 -preset veryfast -profile:v main -crf 23 ` +
      `-maxrate ${rate}k -bufsize ${2 * rate}k -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*${SEGMENT_S})`,
  );

/** Normalizes the loudness (EBU R 128). */
const sound = ({ sound }: Size) =>
  words(`-map 0:a:0 -af loudnorm=I=-16:TP=-1.5:LRA=11 -ar 48000 -ac 2 -c:a aac -b:a ${sound}k`);

const segments = words(
  `-map_metadata -1 -map_chapters -1 -f hls -hls_time ${SEGMENT_S} -hls_playlist_type vod -hls_segment_type fmp4 ` +
    "-hls_fmp4_init_filename init.mp4 -hls_segment_filename %d.m4s -hls_flags independent_segments " +
    "-master_pl_name master.m3u8 index.m3u8",
);

const threads = () => String(Math.max(1, availableParallelism() - 1));

interface Job {
  file: string;
  folder: string;
  source: Source;
  onProgress: (done: number) => void;
}

/** Writes one size into a folder, and the output of `more` in the same pass. Throws Refused for a truncated file. */
export async function transcode({ ffmpeg }: Ffmpeg, size: Size, job: Job, more: string[] = []): Promise<void> {
  const { file, folder, source, onProgress } = job;
  const limitMs = Math.max(MIN_TIMEOUT_MS, source.durationMs * MAX_SLOWNESS);
  const encoder = `-threads ${threads()}`;
  const args = [
    ...words(`-nostdin -v error -y -progress pipe:1 -max_alloc ${MOST_BYTES} ${encoder}`),
    ...inputOf(file),
    ...words(`${encoder} -filter_threads 1`),
    ...picture(size),
    ...(source.hasSound ? sound(size) : []),
    ...segments,
    ...more,
  ];
  let frames = 0;
  const onLine = (line: string) => {
    const [, frame] = /^frame=\s*(\d+)$/.exec(line) ?? [];
    if (frame !== undefined) frames = Number(frame);
    const [, us] = /^out_time_us=(\d+)$/.exec(line) ?? [];
    if (us !== undefined) onProgress(Number(us) / 1_000 / source.durationMs);
  };
  const { ok, err } = await runProgram(ffmpeg, args, { limitMs, cwd: folder, onLine });
  if (!ok) throw new Refused(`it could not be converted${reasonIn(err)}`);
  await writeFile(join(folder, FRAMES_FILE), String(frames));
  const made = await readMade(folder);
  const madeMs = made.segments.reduce((sum, { ms }) => sum + ms, 0);
  if (madeMs < source.durationMs - missing(source.durationMs)) {
    throw new Refused(`it is truncated: it states ${source.durationMs} ms and has ${madeMs}`);
  }
}

export interface Made {
  width: number;
  height: number;
  bandwidth: number;
  averageBandwidth: number;
  /** Pictures in a second, to three decimals; none where a version before converted the film. */
  frameRate?: number;
  codecs: string;
  segments: { file: string; ms: number }[];
}

function noneIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code !== "ENOENT") throw error;
  return null;
}

/** Reads what ffmpeg wrote into a folder. */
export async function readMade(folder: string): Promise<Made> {
  const [index, master] = await Promise.all(
    ["index.m3u8", "master.m3u8"].map((name) => readFile(join(folder, name), "utf8")),
  );
  let [endS, endMs, bandwidth, bytes] = [0, 0, 0, 0];
  const segments: Made["segments"] = [];
  for (const [, seconds, name] of index!.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(\d+\.m4s)/g)) {
    endS += Number(seconds);
    const ms = Math.round(endS * 1_000) - endMs;
    endMs += ms;
    const { size } = await stat(join(folder, name!));
    bytes += size;
    bandwidth = Math.max(bandwidth, Math.ceil((size * 8_000) / Math.max(ms, 1)));
    segments.push({ file: name!, ms });
  }
  const [, width, height] = /RESOLUTION=(\d+)x(\d+)/.exec(master!) ?? [];
  const [, codecs] = /CODECS="([^"]+)"/.exec(master!) ?? [];
  if (!width || !height || !codecs) throw new Error(`ffmpeg wrote no master playlist: ${master}`);
  const averageBandwidth = Math.ceil((bytes * 8_000) / Math.max(endMs, 1));
  const frames = await readFile(join(folder, FRAMES_FILE), "utf8").catch(noneIfAbsent);
  const frameRate = frames === null ? {} : { frameRate: Math.round((Number(frames) * 1_000_000) / endMs) / 1_000 };
  const shape = { width: Number(width), height: Number(height), bandwidth, averageBandwidth, ...frameRate };
  return { ...shape, codecs, segments };
}
