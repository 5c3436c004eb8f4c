import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

/** Asks for a secret. In a terminal it is typed and not shown; otherwise it is all that standard input holds. */
export async function readSecret(what: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, "");
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: stdin, output: unseen, terminal: true });
  stderr.write(`${what}: `);
  try {
    return await new Promise((resolve) => {
      line.once("line", resolve);
      line.once("close", () => resolve(""));
    });
  } finally {
    line.close();
    stderr.write("\n");
  }
}
