import { existsSync } from "node:fs";
import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LogFiles } from "#shared/log/read-tiles.ts";

const TIMEOUT_MS = 20_000;
const BROKEN = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The log of a site. A file that is not there is null; whatever else goes wrong is thrown, with what to do next. */
export const siteFiles = (site: string): LogFiles => ({
  async read(path, most) {
    const address = `${site}/log/${path}`;
    const response = await ask(address).catch((error: Error) => {
      throw new Error(`${address} cannot be read (${reasonOf(error)}). Name another site with --site.`, {
        cause: error,
      });
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${address} answers with ${response.status}.`);
    return bodyOf(response, most).catch((error: Error) => {
      throw new Error(`${address} broke off (${reasonOf(error)}). Try again.`, { cause: error });
    });
  },
});

/** Asks once more where a connection breaks: a server may close an idle one just as it is used again. */
async function ask(address: string): Promise<Response> {
  const once = () => fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    return await once();
  } catch (error) {
    if (BROKEN.has(reasonOf(error as Error))) return once();
    throw error;
  }
}

/** The body of an answer; null as soon as it is longer than it may be. */
export async function bodyOf(response: Response, most: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > most) return null;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** `fetch` itself says only that it failed; the cause has the reason. */
export function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? error) as { code?: string | number; message: string };
  return typeof code === "string" ? code : message;
}

/** A copy in a folder: the files of `/log/`, or a folder `log` with them. */
export function folderFiles(folder: string): LogFiles {
  const root = existsSync(join(folder, "log/checkpoint")) ? join(folder, "log") : folder;
  return {
    async read(path, most) {
      try {
        await using file = await open(join(root, path));
        const { size } = await file.stat();
        return size > most ? null : new Uint8Array(await file.readFile());
      } catch (error) {
        if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
        throw error;
      }
    },
  };
}

/** The same files, each of them copied into a folder as it is read. */
export const savingFiles = (files: LogFiles, folder: string): LogFiles => ({
  async read(path, most) {
    const content = await files.read(path, most);
    if (content) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return content;
  },
});
