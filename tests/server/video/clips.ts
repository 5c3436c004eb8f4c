import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFfmpeg } from "#server/ffmpeg.ts";

const { ffmpeg } = findFfmpeg();

interface Clip {
  size?: string;
  seconds?: number;
  /** Null for a film without sound. */
  volume?: number | null;
  more?: string[];
}

/** Makes a film: moving bars, and a tone as quiet as it is told. */
export function makeClip(file: string, { size = "320x180", seconds = 6, volume = 1, more = [] }: Clip = {}): string {
  const sound = volume === null ? [] : ["-f", "lavfi", "-i", `sine=440:d=${seconds},volume=${volume}`, "-c:a", "aac"];
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${seconds}`];
  const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", ...more, file];
  execFileSync(ffmpeg, ["-v", "error", "-y", ...picture, ...sound, ...codec]);
  return file;
}

/** What ffmpeg says of a file: to see what came of it. */
export function inspect(file: string, filter: string): string {
  const args = ["-hide_banner", "-nostats", "-i", file, "-af", filter, "-f", "null", "-"];
  return execFileSync("sh", ["-c", 'exec "$0" "$@" 2>&1', ffmpeg, ...args], { encoding: "utf8" });
}

/** A whole file of a rendition: what every player reads first and then its segments. */
export const everyFile = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

const PROGRAM = fileURLToPath(new URL("../../../server/admin/main.ts", import.meta.url));

/** Starts an operator's command which can be killed with all that it started. */
export function begin(folder: string, ...words: string[]): { kill(): Promise<void> } {
  const env = { PATH: process.env.PATH ?? "", DATA_DIR: folder };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, detached: true, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    kill() {
      process.kill(-child.pid!, "SIGKILL");
      return ended;
    },
  };
}
