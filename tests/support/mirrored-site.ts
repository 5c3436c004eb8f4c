import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { FILES, type TextTree } from "#locales/languages.ts";
import { eventually } from "./client.ts";
import { freePort } from "./free-port.ts";
import { Copy } from "./recipe.ts";
import { ROOT } from "./source-files.ts";
import { spawnBound } from "./spawn-bound.ts";

/** The code on the wire of a language that runs from right to left: English in Hebrew letters, which nobody speaks. */
export const MIRRORED = "xx_xx";

/** Every Latin letter becomes a Hebrew one; placeholders and marks of HTML stay. */
const mirrored = (text: string) =>
  text
    .split(/(\{\{\w+\}\}|<[^>]+>)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/[a-z]/gi, (letter) => String.fromCodePoint(0x5d0 + (letter.codePointAt(0)! % 27))),
    )
    .join("");

const mirroredTree = (tree: TextTree): TextTree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      typeof value === "string" ? mirrored(value) : mirroredTree(value),
    ]),
  );

export const MIRRORED_TEXTS: TextTree = mirroredTree(FILES.find(({ tag }) => tag === "en")!.texts);

/** The demo of a copy of this tree, to which the mirrored language was added by its one file. */
export async function startMirroredSite() {
  const copy = new Copy();
  for (const folder of ["pictures", "videos"])
    symlinkSync(join(ROOT, "db/demo", folder), join(copy.folder, "db/demo", folder));
  const language = { code: MIRRORED, name: "תלמיד", direction: "rtl", place: 11 };
  copy.write("locales/he.json", JSON.stringify({ language, ...MIRRORED_TEXTS }));
  const built = await copy.script("prestart");
  if (built.exit !== 0) throw new Error(built.output);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH ?? "",
    DATA_DIR: join(copy.folder, "data"),
    PORT: String(port),
    LOG_LEVEL: "error",
    RATE_LIMIT: "off",
  };
  const server = spawnBound(process.execPath, ["--import", "./server/preload.mjs", "server/main.ts"], {
    cwd: copy.folder,
    env,
  });
  await eventually(async () => void (await fetch(`${address}/healthz`)), 120_000);

  async function close(): Promise<void> {
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    copy.remove();
  }
  return { copy, address, close };
}
