import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { findFfmpeg } from "#server/programs/ffmpeg.ts";
import { CAST } from "./demo-makers/draw/cast.ts";
import { composePortrait } from "./demo-makers/draw/compose.ts";
import { BLEND_S, FPS, SEGMENT_S, sceneOf, watchedS, type Clip } from "./demo-makers/film/clip.ts";
import { framesOf, soundOf } from "./demo-makers/film/come-round.ts";
import { compose } from "./demo-makers/film/compose.ts";
import { dice } from "./demo-makers/film/dice.ts";
import { measureGain, renderClip } from "./demo-makers/film/hls.ts";
import { moonlitSea } from "./demo-makers/film/moonlit-sea.ts";
import { PROGRAMME } from "./demo-makers/film/programme.ts";
import { createSurface } from "./demo-makers/film/surface.ts";
import { RATE, toWav } from "./demo-makers/film/tape.ts";
import { ROOT } from "./support/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "demo-makers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** How far two pictures of the same size are from each other, of 255, on average. */
async function distance(a: string | Buffer, b: string | Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [a, b].map((picture) => sharp(picture).resize(320, 180, { fit: "fill" }).removeAlpha().raw().toBuffer()),
  );
  return one!.reduce((sum, value, i) => sum + Math.abs(value - other![i]!), 0) / one!.length;
}

describe("the makers of the demo", () => {
  it("paint a portrait that is the one the demo shows, and nobody else's", async () => {
    const kept = readFileSync(join(ROOT, "db/demo/pictures", `${CAST[0]!.code}-1-720.avif`));
    expect(await distance(Buffer.from(composePortrait(CAST[0]!)), kept)).toBeLessThan(4);
    expect(await distance(Buffer.from(composePortrait(CAST[1]!)), kept)).toBeGreaterThan(8);
  });

  it("film a scene of a second with its sound", async () => {
    const clip: Clip = { ...moonlitSea, seconds: 3, poster: 1, scene: { from: 1, seconds: 1 } };
    const wav = join(folder, "sound.wav");
    writeFileSync(wav, toWav(soundOf(compose(clip.music, clip.seconds), clip.scene!)));
    const { rendition } = await renderClip(clip, 180, folder, wav, await measureGain(wav));
    expect(rendition).toMatchObject({ width: 320, height: 180, segments: [{ file: "180/seg-000.m4s", ms: 1000 }] });
    const movie = join(folder, "whole.mp4");
    const parts = ["init.mp4", "seg-000.m4s"].map((name) => readFileSync(join(folder, "180", name)));
    writeFileSync(movie, Buffer.concat(parts));
    execFileSync(findFfmpeg().ffmpeg, ["-v", "error", "-i", movie, "-fps_mode", "passthrough", join(folder, "%d.png")]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".png"))).toHaveLength(FPS);
  });

  it("let a scene come round: after its last picture its first is but the next", () => {
    const s = createSurface(0.5);
    const frames = [...framesOf(s, dice.begin(s), { from: 1, seconds: 2 })];
    const apart = (a: number, b: number) =>
      frames.at(a)!.reduce((sum, value, i) => sum + Math.abs(value - frames.at(b)![i]!), 0);
    expect(frames).toHaveLength(2 * FPS);
    expect(apart(-1, 0)).toBeLessThan(2 * apart(0, 1));
    expect(apart(FPS, 0)).toBeGreaterThan(2 * apart(0, 1));
  });

  it("let a sound come round: it ends with what was there before its beginning", () => {
    const tape = { left: new Float32Array(4 * RATE), right: new Float32Array(4 * RATE) };
    for (let i = 0; i < 4 * RATE; i++) tape.left[i] = i / RATE;
    const { left } = soundOf(tape, { from: 1, seconds: 2 });
    expect(left).toHaveLength(2 * RATE);
    expect(left[0]).toBeCloseTo(1);
    expect(left.at(-1)).toBeCloseTo(1, 2);
  });

  it("keep of each clip a part of whole segments with its finest picture in it", () => {
    const odd = PROGRAMME.filter((clip) => {
      const { from, seconds } = sceneOf(clip);
      const shows = clip.poster >= from && clip.poster <= from + seconds - BLEND_S;
      return !shows || seconds % SEGMENT_S !== 0 || from < BLEND_S || from + seconds > clip.seconds;
    });
    expect(odd.map(({ code }) => code)).toEqual([]);
    expect(PROGRAMME.filter((clip) => watchedS(clip) < clip.seconds)).toEqual([]);
  });
});
