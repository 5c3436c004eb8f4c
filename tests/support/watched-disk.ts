import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, resolve, sep } from "node:path";

/** Gets every operation below a folder that goes through node:fs or node:fs/promises. Native code is not seen. */
export interface DiskWatcher {
  /** A file or a folder was created. */
  made(path: string): void;
  /** A file or folder is about to be synced. The function it returns is called once the disk has it. */
  syncing(path: string): () => void;
  /** A change has completed. */
  happened(): void;
}

type Api = Record<string, (...args: unknown[]) => unknown>;

const CHANGES = ["rename", "link", "unlink", "rm", "rmdir", "symlink", "truncate"];
const WRITES = ["write", "writev", "writeFile", "appendFile", "truncate"];

/** Watches until it is disposed of. Only one watch at a time. */
export async function watchDisk(root: string, watcher: DiskWatcher): Promise<Disposable> {
  const undo: (() => void)[] = [];
  /** The path of each open file, by its handle or number. */
  const opened = new Map<unknown, string>();
  const isInside = (path: string | undefined): path is string => path === root || !!path?.startsWith(root + sep);
  const pathOf = (path: unknown) => (typeof path === "string" ? resolve(path) : undefined);

  function wrap(on: Api, name: string, around: (call: () => unknown, args: unknown[], self: unknown) => unknown): void {
    const was = on[name]!;
    on[name] = function (this: unknown, ...args: unknown[]) {
      return around(() => was.apply(this, args), args, this);
    };
    undo.push(() => (on[name] = was));
  }

  function sync(call: () => unknown, handle: unknown): unknown {
    const path = opened.get(handle);
    if (!isInside(path)) return call();
    const done = watcher.syncing(path);
    return after(call(), () => {
      done();
      watcher.happened();
    });
  }

  for (const [on, end] of [
    [promises as unknown as Api, ""],
    [fs as unknown as Api, "Sync"],
  ] as const) {
    wrap(on, `open${end}`, (call, [given]) => {
      const path = pathOf(given);
      if (!isInside(path)) return call();
      const isNew = !fs.existsSync(path);
      return after(call(), (handle) => {
        opened.set(handle, path);
        if (isNew) watcher.made(path);
        watcher.happened();
      });
    });
    wrap(on, `mkdir${end}`, (call, [given, options]) => {
      const path = pathOf(given);
      if (!isInside(path)) return call();
      const isDeep = (options as { recursive?: boolean } | undefined)?.recursive === true;
      return after(call(), (first) => {
        const top = isDeep ? (first as string | undefined) : path;
        for (let at = path; top !== undefined && at.length >= top.length; at = dirname(at)) watcher.made(at);
        watcher.happened();
      });
    });
    for (const name of ["writeFile", "copyFile"])
      wrap(on, name + end, (call, args) => {
        const path = pathOf(args[name === "copyFile" ? 1 : 0]);
        if (!isInside(path)) return call();
        const isNew = !fs.existsSync(path);
        return after(call(), () => {
          if (isNew) watcher.made(path);
          watcher.happened();
        });
      });
    for (const name of CHANGES)
      wrap(on, name + end, (call, paths) =>
        paths.some((path) => isInside(pathOf(path))) ? after(call(), () => watcher.happened()) : call(),
      );
  }
  for (const name of ["fsyncSync", "fdatasyncSync"]) wrap(fs as unknown as Api, name, (call, [fd]) => sync(call, fd));
  const prototype = await handlePrototype(root);
  for (const name of ["sync", "datasync"]) wrap(prototype, name, (call, _, handle) => sync(call, handle));
  for (const name of WRITES)
    wrap(prototype, name, (call, _, handle) =>
      isInside(opened.get(handle)) ? after(call(), () => watcher.happened()) : call(),
    );
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      for (const restore of undo) restore();
      syncBuiltinESMExports();
    },
  };
}

/** The prototype of all handles that node:fs/promises opens. */
async function handlePrototype(folder: string): Promise<Api> {
  await using handle = await promises.open(folder);
  return Object.getPrototypeOf(handle) as Api;
}

/** Calls back with a result once it is there, whether promised or at hand. */
function after(result: unknown, hear: (value: unknown) => void): unknown {
  if (result instanceof Promise)
    return result.then((value: unknown) => {
      hear(value);
      return value;
    });
  hear(result);
  return result;
}
