import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { programOnPath } from "#server/programs/on-path.ts";

const setpriv = programOnPath(["setpriv"]);

/**
 * Starts a program that gets a signal when this process ends, however it ends: an interrupted run leaves no server
 * behind. On Linux alone, where a process may ask for that.
 */
export function spawnBound(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
  signal: "SIGKILL" | "SIGTERM" = "SIGKILL",
): ChildProcess {
  if (!setpriv) return spawn(command, args, options);
  return spawn(setpriv, ["--pdeathsig", signal.slice(3), "--", command, ...args], options);
}
