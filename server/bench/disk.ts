import { readFileSync, statSync } from "node:fs";

/** Where the kernel counts a disk's flushes in a line of /proc/diskstats (Linux's Documentation/admin-guide/iostats.rst). */
const FLUSHES = 18;

/**
 * How often the disk below a folder was told to make durable what it holds, since the machine started. Each fsync is one,
 * of whatever program. Null where the kernel does not count it: for a folder in memory, or on another system than Linux.
 */
export function flushesOf(folder: string): number | null {
  const { dev } = statSync(folder);
  // A device's number as Linux's C library takes it apart.
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const line = read("/proc/diskstats").find(([of, which]) => of === String(major) && which === String(minor));
  const counted = line?.[FLUSHES];
  return counted === undefined ? null : Number(counted);
}

/** What this process had written to disks so far, in bytes, whether or not they have it yet. Null where nobody counts it. */
export function bytesWritten(): number | null {
  const line = read("/proc/self/io").find(([name]) => name === "write_bytes:");
  return line === undefined ? null : Number(line[1]);
}

function read(file: string): string[][] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}
