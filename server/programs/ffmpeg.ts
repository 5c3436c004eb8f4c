import { execFileSync } from "node:child_process";
import { programOnPath } from "./on-path.ts";

/** The two programs that read and write films. */
export interface Ffmpeg {
  ffmpeg: string;
  ffprobe: string;
}

/** Null where they are not installed. */
export function ffmpegOnPath(): Ffmpeg | null {
  const [ffmpeg, ffprobe] = [programOnPath(["ffmpeg", "ffmpeg.exe"]), programOnPath(["ffprobe", "ffprobe.exe"])];
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : null;
}

/** The same for tests: Debian's package where that can be installed. */
export function findFfmpeg(): Ffmpeg {
  const found = ffmpegOnPath();
  if (found) return found;
  if (process.getuid?.() !== 0) throw new Error("ffmpeg is not installed: install it");
  console.warn("Installing ffmpeg (once)…");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update", "-q"], { stdio: "ignore", env });
  execFileSync("apt-get", ["install", "-q", "-y", "--no-install-recommends", "ffmpeg"], { stdio: "ignore", env });
  return ffmpegOnPath() ?? { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
}
