import { readFileSync, writeFileSync } from "node:fs";

/** A failpoint throws an error, with a code if there is one, or kills the process at once. */
type Action = { what: "throw"; code?: string; times: number } | { what: "crash"; times: number };

let file: string | null | undefined;

/**
 * A place where a test can inject a failure. It does nothing unless NODE_ENV is `test` and FAILPOINTS names a file. A
 * line of that file is `NAME throw`, `NAME throw CODE` or `NAME crash`, with an optional number of times at the end.
 * NAME may end with `:` and its subject, such as a round's id. The file is read each time, so a test also reaches
 * threads and processes that already run.
 */
export function failpoint(name: string, about?: number): void {
  file ??= process.env.NODE_ENV === "test" ? (process.env.FAILPOINTS ?? null) : null;
  if (file !== null) act(file, name, about);
}

function act(path: string, name: string, about: number | undefined): void {
  const lines = linesOf(path);
  const names = new Set([name, `${name}:${about}`]);
  const at = lines.findIndex((line) => names.has(line.split(" ")[0]!));
  if (at < 0) return;
  const action = actionOf(lines[at]!);
  const left = action.times - 1;
  if (left > 0) lines[at] = lines[at]!.replace(/\d+$/, String(left));
  else if (left === 0) lines.splice(at, 1);
  if (Number.isFinite(left)) writeFileSync(path, lines.join("\n"));
  if (action.what === "crash") process.kill(process.pid, "SIGKILL");
  else throw Object.assign(new Error(`failpoint ${name}`), { code: action.code });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

function actionOf(line: string): Action {
  const [, what, ...rest] = line.split(" ");
  const times = /^\d+$/.test(rest.at(-1) ?? "") ? Number(rest.pop()) : Number.POSITIVE_INFINITY;
  if (what === "crash") return { what, times };
  return { what: "throw", ...(rest[0] && { code: rest[0] }), times };
}
