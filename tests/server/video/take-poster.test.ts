import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, describe, it } from "vitest";
import { readPoster, takePoster } from "#server/admin/video/pictures.ts";
import { probeVideo } from "#server/admin/video/probe.ts";
import { findFfmpeg } from "#server/programs/ffmpeg.ts";
import { makeClip } from "./clips.ts";

const folder = mkdtempSync(join(tmpdir(), "poster-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A film of these colours, one after the other, each for so many seconds; every frame is plain. */
function film(name: string, ...parts: [colour: string, seconds: number][]): string {
  const drawn = parts.map(([colour, seconds], i) => `color=${colour}:s=320x180:r=25:d=${seconds}[p${i}]`);
  const all = `${parts.map((_, i) => `[p${i}]`).join("")}concat=n=${parts.length}`;
  return makeClip(join(folder, name), { volume: null, drawn: [...drawn, all].join(";") });
}

/** The main colour of its poster. */
async function posterOf(file: string): Promise<string> {
  const tools = findFfmpeg();
  await takePoster(tools, file, folder, await probeVideo(tools, file));
  const { channels } = await sharp(await readPoster(folder)).stats();
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  return ["red", "green", "blue"][means.indexOf(Math.max(...means))]!;
}

describe("the poster of a film", () => {
  it("is of its first seconds, however long it goes on with something else", async () => {
    expect(await posterOf(film("long.mp4", ["red", 5], ["blue", 85]))).toBe("red");
  });

  it("skips the very beginning of a long film, which often is black", async () => {
    expect(await posterOf(film("late.mp4", ["blue", 4], ["red", 1], ["blue", 45]))).toBe("red");
  });

  it("is taken at a tenth of a short one, and exists for a film that ends within that second", async () => {
    expect(await posterOf(film("short.mp4", ["blue", 1], ["red", 9]))).toBe("red");
    expect(await posterOf(film("moment.mp4", ["red", 0.4]))).toBe("red");
  });
});
