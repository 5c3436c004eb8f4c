import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** What happened on the disk below a folder, in order. Paths begin at that folder; times are in ms since the epoch. */
export type DiskEvent = { atMs: number } & (
  | { does: "create" | "mkdir" | "unlink" | "rmdir"; path: string }
  | { does: "write"; path: string; at: number | null; bytes: Buffer }
  | { does: "truncate"; path: string; size: number }
  | { does: "rename" | "link"; path: string; to: string }
  | { does: "sync" | "synced"; path: string; id: string }
);

const CALLS =
  "openat,creat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,fallocate,rename,renameat,renameat2,link,linkat," +
  "unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,copy_file_range,sendfile";

/**
 * Runs a program so that strace writes all of its disk calls into `file`, native ones too, with their bytes. The program
 * stays its starter's own child.
 */
export const recordedIn = (file: string): string[] =>
  `strace -D -f -y -xx -ttt --seccomp-bpf -s 4194304 -e trace=${CALLS} -e signal=none -o ${file}`.split(" ");

const LINE = /^(\d+) +(\d+\.\d+) (?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((.*))$/;
/** A descriptor with its path, or a quoted text, or a plain word. */
const ARGUMENT = /(\d+|AT_FDCWD)<([^>]*)>|"((?:\\x[0-9a-f]{2})*)"|([^\s,()"]+)/g;

interface Argument {
  word: string;
  path: string | undefined;
  bytes: Buffer | undefined;
}

interface Call {
  atMs: number;
  name: string;
  args: Argument[];
}

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");

const argumentsOf = (text: string): Argument[] =>
  [...text.matchAll(ARGUMENT)].map(([, fd, path, quoted, word]) => ({
    word: fd ?? word ?? "",
    path: path === undefined ? undefined : bytesOf(path.replace(/\(deleted\)$/, "")).toString(),
    bytes: quoted === undefined ? undefined : bytesOf(quoted),
  }));

/** Reads a recording. A call that writes is there when it begins, one that syncs also when it has returned. */
export async function readRecording(file: string, root: string): Promise<DiskEvent[]> {
  const events: DiskEvent[] = [];
  const underWay = new Map<string, { id: string; path: string }>();
  let ids = 0;
  const inside = (path: string | undefined) =>
    path?.startsWith(`${root}/`) || path === root ? path.slice(root.length + 1) : undefined;
  const written = Buffer.from(root).toString("hex").replace(/../g, "\\x$&");
  for await (const line of createInterface(createReadStream(file, "latin1"))) {
    if (!line.includes(written) && !line.includes("sync resumed>")) continue;
    const [, thread, seconds, resumed, rest, name, text] = LINE.exec(line) ?? [];
    const atMs = Number(seconds) * 1_000;
    const open = underWay.get(thread!);
    if (resumed !== undefined && open) {
      underWay.delete(thread!);
      if (rest!.endsWith("= 0")) events.push({ atMs, does: "synced", ...open });
    }
    if (name === undefined) continue;
    const isOpen = text!.endsWith("<unfinished ...>");
    const hasFailed = / = -1 E\w+/.test(text!);
    if (hasFailed) continue;
    const [given] = text!.split(/\) += (?=-?\d)/);
    const call = { atMs, name, args: argumentsOf(given!.replace(" <unfinished ...>", "")) };
    if (name === "fsync" || name === "fdatasync") {
      const path = inside(call.args[0]!.path);
      if (path === undefined) continue;
      const sync = { id: `${file} ${++ids}`, path };
      events.push({ atMs, does: "sync", ...sync });
      if (isOpen) underWay.set(thread!, sync);
      else events.push({ atMs, does: "synced", ...sync });
    } else events.push(...eventsOf(call, inside));
  }
  return events;
}

function* eventsOf(
  { atMs, name, args }: Call,
  inside: (path: string | undefined) => string | undefined,
): Generator<DiskEvent> {
  const named = args.filter(({ bytes }) => bytes).map(({ bytes }) => inside(bytes!.toString()));
  const [path, to] = named;
  const onFile = inside(args[0]?.path);
  if (/^(pwritev2?|writev|copy_file_range|sendfile|fallocate)$/.test(name)) {
    if (onFile !== undefined) throw new Error(`a recording has ${name}, which is not understood`);
  } else if (name === "write" || name === "pwrite64") {
    if (onFile !== undefined)
      yield {
        atMs,
        does: "write",
        path: onFile,
        at: name === "write" ? null : Number(args[3]!.word),
        bytes: args[1]!.bytes!,
      };
  } else if (name === "ftruncate") {
    if (onFile !== undefined) yield { atMs, does: "truncate", path: onFile, size: Number(args[1]!.word) };
  } else if (path === undefined) return;
  else if (name === "openat" || name === "creat") {
    const flags = args.map(({ word }) => word).join();
    if (/O_CREAT/.test(flags)) yield { atMs, does: "create", path };
    if (/O_TRUNC/.test(flags)) yield { atMs, does: "truncate", path, size: 0 };
  } else if (name.startsWith("rename")) yield { atMs, does: "rename", path, to: to! };
  else if (name.startsWith("link")) yield { atMs, does: "link", path, to: to! };
  else if (name.startsWith("mkdir")) yield { atMs, does: "mkdir", path };
  else
    yield {
      atMs,
      does: name === "rmdir" || args.some(({ word }) => word === "AT_REMOVEDIR") ? "rmdir" : "unlink",
      path,
    };
}
