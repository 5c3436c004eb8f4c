import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeClip } from "../server/video/clips.ts";
import { operatorOf } from "./withdrawal-steps.ts";
import type { StoryServer } from "./server-process.ts";

/** The caption of the first film from its first second on. */
export const SAID = "A bar moves over the picture";
const CAPTIONS = `WEBVTT\n\n00:01.000 --> 00:20.000\n${SAID}\n`;

/** Imports two short films as an operator does; the first, `vid_1`, has captions and the wanted settings. */
export async function importVideos(server: StoryServer, wanted = { size: "160x90", seconds: 2 }): Promise<void> {
  const operator = operatorOf(server);
  const folder = mkdtempSync(join(tmpdir(), "trio-films-"));
  await operator("video:category", "bars", "Bars");
  const captions = join(folder, "en.vtt");
  writeFileSync(captions, CAPTIONS);
  const videos = {
    "Moving bars": [makeClip(join(folder, "bars.mp4"), { rate: 10, ...wanted }), "--captions", `en=${captions}`],
    "Short bars": [makeClip(join(folder, "short.mp4"), { size: "160x90", seconds: 1 })],
  };
  for (const [title, words] of Object.entries(videos))
    await operator("video:import", ...words, "--title", title, "--category", "bars");
  rmSync(folder, { recursive: true });
}
