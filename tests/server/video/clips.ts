import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFfmpeg } from "#server/programs/ffmpeg.ts";
import type { Place } from "../../support/databases.ts";
import { program } from "../../support/program.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

const { ffmpeg } = findFfmpeg();

interface Clip {
  size?: string;
  seconds?: number;
  /** Pictures in a second. */
  rate?: number;
  /** Null for a film without sound. */
  volume?: number | null;
  /** What ffmpeg draws instead of the bars. */
  drawn?: string;
  more?: string[];
}

/** Makes a film: moving bars, and a tone of the given volume. */
export function makeClip(file: string, clip: Clip = {}): string {
  const { size = "320x180", seconds = 6, rate = 25, volume = 1, more = [] } = clip;
  const { drawn = `testsrc2=s=${size}:r=${rate}:d=${seconds}` } = clip;
  const sound = volume === null ? [] : ["-f", "lavfi", "-i", `sine=440:d=${seconds},volume=${volume}`, "-c:a", "aac"];
  const picture = ["-f", "lavfi", "-i", drawn];
  const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", ...more, file];
  execFileSync(ffmpeg, ["-v", "error", "-y", ...picture, ...sound, ...codec]);
  return file;
}

/** The same film with a red cover picture, which is its first stream. */
export function putCover(clip: string, file: string): string {
  const red = ["-f", "lavfi", "-i", "color=red:s=600x600:d=1"];
  const cover = ["-map", "0", "-map", "1:v", "-c", "copy", "-c:v:1", "mjpeg", "-frames:v:1", "1"];
  execFileSync(ffmpeg, ["-v", "error", "-y", "-i", clip, ...red, ...cover, "-disposition:v:1", "attached_pic", file]);
  const isCalled = (name: string) => (box: Buffer) => box.toString("latin1", 4, 8) === name;
  const whole = boxesOf(readFileSync(file));
  const moov = whole.findIndex(isCalled("moov"));
  const [head, ...boxes] = boxesOf(whole[moov]!.subarray(8)) as [Buffer, ...Buffer[]];
  // The metadata has the cover: what is named first is the first stream.
  const isRemark = isCalled("udta");
  boxes.sort((a, b) => Number(isRemark(b)) - Number(isRemark(a)));
  whole[moov] = Buffer.concat([whole[moov]!.subarray(0, 8), head, ...boxes]);
  writeFileSync(file, Buffer.concat(whole));
  return file;
}

/** The boxes that an MP4, or one of its boxes, consists of. */
function boxesOf(bytes: Buffer): Buffer[] {
  const boxes: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += boxes.at(-1)!.length) {
    boxes.push(bytes.subarray(at, at + bytes.readUInt32BE(at)));
  }
  return boxes;
}

/** ffmpeg's description of a file, to check the result. */
export function inspect(file: string, filter: string): string {
  const args = ["-hide_banner", "-nostats", "-i", file, "-af", filter, "-f", "null", "-"];
  return execFileSync("sh", ["-c", 'exec "$0" "$@" 2>&1', ffmpeg, ...args], { encoding: "utf8" });
}

/** All files of a rendition: what every player reads first and then its segments. */
export const everyFile = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Starts an operator's command, to be killed with all its child processes. */
export function begin(place: Place, ...words: string[]): { kill(): Promise<void> } {
  const env = { PATH: process.env.PATH ?? "", ...place.env };
  const child = spawnBound(process.execPath, [...program("server/admin/main.ts"), ...words], {
    env,
    detached: true,
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    kill() {
      process.kill(-child.pid!, "SIGKILL");
      return ended;
    },
  };
}
