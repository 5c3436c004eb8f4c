import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";

/** How much output is buffered: a broken file may cause an error for every frame. */
const MAX_OUTPUT_BYTES = 1_048_576;
const NICENESS = 10;

/** Container formats that hold the film itself. Playlists refer to other files, so they are not allowed. */
const FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf";

/** Input options of ffprobe and ffmpeg: they read this file, and nothing that it refers to. */
export const inputOf = (file: string): string[] => [
  "-protocol_whitelist",
  "file,pipe",
  "-format_whitelist",
  FORMATS,
  "-i",
  `file:${file}`,
];

/** Splits a command line whose words contain no spaces. */
export const words = (line: string): string[] => line.split(" ");

export interface Run {
  ok: boolean;
  out: string;
  err: string;
}

interface Limits {
  limitMs: number;
  cwd?: string;
  /** Gets each line of the output, which is not buffered then. */
  onLine?: (line: string) => void;
}

/** Runs a program at low priority, without input and with a time limit. */
export async function runProgram(program: string, args: string[], { limitMs, cwd, onLine }: Limits): Promise<Run> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env.PATH } });
  // Without a file handle left it has no output to read.
  await once(child, "spawn");
  lowerPriority(child.pid!);
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const timer = setTimeout(end, limitMs);
  const output = { out: "", err: "" };
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    output.err = (output.err + more).slice(-MAX_OUTPUT_BYTES);
  });
  if (onLine) createInterface(child.stdout).on("line", onLine);
  else
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      output.out = (output.out + more).slice(0, MAX_OUTPUT_BYTES);
    });
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ ok: code === 0, ...output }));
    });
  } finally {
    clearTimeout(timer);
    process.off("exit", end);
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // The program has ended already, or the system has no priorities.
  }
}
