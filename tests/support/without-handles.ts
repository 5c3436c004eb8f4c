import { closeSync, openSync } from "node:fs";
import { runProgram } from "#server/admin/video/run-ffmpeg.ts";
import { auditCopy } from "#server/move/audit-copy.ts";
import { PictureProcess } from "#server/pictures/picture-process.ts";
import { drawing } from "./pictures.ts";

// Prints how each of them ends while this program has no file handle left, and how a picture ends after that.
const bytes = await drawing(70, 70).png().toBuffer();
const plan = { widths: [64], formats: ["webp"], square: true } as const;
const pictures = new PictureProcess();
const ask = () => pictures.ask({ do: "encode", bytes, plan });

const said: string[] = [];
const tell = (name: string, work: Promise<unknown>) =>
  work.then(
    () => said.push(`${name}: done`),
    (error: Error & { cause?: { code?: string }; code?: string }) =>
      said.push(`${name}: ${error.name} ${error.code ?? error.cause?.code}`),
  );

const taken: number[] = [];
const takeAll = () => {
  for (;;) {
    try {
      taken.push(openSync("/dev/null", "r"));
    } catch {
      return;
    }
  }
};
takeAll();
await tell("picture", ask());
await tell("again", ask());
await tell("program", runProgram("true", [], { limitMs: 10_000 }));
await tell("audit", auditCopy({}));
taken.forEach((handle) => closeSync(handle));
await tell("then", ask());
process.stdout.write(said.join("\n"));
process.exit();
