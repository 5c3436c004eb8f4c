import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { bytes } from "./world.ts";
import { ROOT } from "../support/source-files.ts";

/**
 * Opens the page that checks offline in this document, for a reader of these languages. Its script runs anew, even if
 * another test of this process has opened the page before.
 */
export async function openPage(...languages: string[]): Promise<void> {
  const page = readFileSync(join(ROOT, "client/offline/check.html"), "utf8");
  const { body } = new DOMParser().parseFromString(page, "text/html");
  document.body.replaceChildren(...body.children);
  const { documentElement: root } = document;
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
  vi.resetModules();
  await import("#client/offline/main.ts");
}

/** A file that arrives in pieces of so many bytes. */
export function fileOf(content: string | Uint8Array, { path = "", pieces = 50_000 } = {}): File {
  const all = typeof content === "string" ? bytes(content) : content;
  const of = (bytes: Uint8Array): File => {
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += pieces) controller.enqueue(bytes.subarray(at, at + pieces));
          controller.close();
        },
      });
    const slice = (from: number, to?: number) => of(bytes.subarray(from, to));
    const arrayBuffer = async () => bytes.slice().buffer;
    const text = async () => new TextDecoder().decode(bytes);
    return { size: bytes.length, webkitRelativePath: path, stream, slice, arrayBuffer, text } as unknown as File;
  };
  return of(all);
}
