import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultOfCaptions } from "#server/domains/video/captions.ts";
import { world, type World } from "../../support/world.ts";
import { activePlayer, category, fetchMedia, playing, video, type MadeVideo } from "./video-world.ts";

let w: World;
let film: MadeVideo;
let member: string;
let guest: string;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  film = await video(w);
  member = await playing(w, film.id, (await activePlayer(w, "mia_1")).token);
  guest = await playing(w, film.id);
});
afterAll(() => w.close());

/** The captions read from a folder: 16 seconds are free. */
async function read(folder: string, lines: string[], lineEnd: string): Promise<string> {
  await w.deps.storage.put(`${film.folder}/${film.captions}`, Buffer.from(lines.join(lineEnd)));
  return (await fetchMedia(w, folder + film.captions)).text;
}

const cue = (start: string, ...words: string[]) => [`${start} --> 00:50.000 align:start`, ...words];
const EARLY = cue("00:01.000", "Early words", "of two lines");
const LATE = cue("00:20.000", "Late words");

const MORE = cue("00:02.000", "More early words");
const SPACED = ["\uFEFFWEBVTT - Waves", "", "NOTE late", "", "first", ...EARLY, "", "second", ...LATE];
SPACED.push("", "third", ...MORE, "");
const PACKED = ["WEBVTT", "opening", ...EARLY, ...LATE, ...cue("00:00:15.999", "Just in time")];
for (const start of ["00:16.000", "00:16.001", "01:01.000"]) PACKED.push(...cue(start, "Late too"));
const COUNTED = [
  "WEBVTT",
  "",
  "1",
  ...EARLY,
  "2",
  ...LATE,
  "3",
  ...cue("00:02.000", "10"),
  ...cue("01:00:01.000", "9"),
];
const BROKEN = ["WEBVTT", "", ...EARLY, "20 --> 22", "Late words", "", "00:20.000 --> 22", "Late words"];

describe.each([
  ["lines that end with LF", "\n"],
  ["lines that end with CR and LF", "\r\n"],
  ["lines that end with CR", "\r"],
])("captions of %s", (_, lineEnd) => {
  it("show guests the texts of the free time, in full", async () => {
    const early = ["first", ...EARLY, "", "third", ...MORE].join("\n");
    expect(await read(guest, SPACED, lineEnd)).toBe(`WEBVTT - Waves\n\n${early}\n`);
  });

  it("are cut where the next cue's times follow without an empty line", async () => {
    const cues = [["opening", ...EARLY], cue("00:00:15.999", "Just in time")].map((lines) => lines.join("\n"));
    expect(await read(guest, PACKED, lineEnd)).toBe(`WEBVTT\n\n${cues.join("\n\n")}\n`);
  });

  it("are cut above the next cue's number, and keep a number that is caption text", async () => {
    const cues = [
      ["1", ...EARLY],
      ["3", ...cue("00:02.000", "10")],
    ].map((lines) => lines.join("\n"));
    expect(await read(guest, COUNTED, lineEnd)).toBe(`WEBVTT\n\n${cues.join("\n\n")}\n`);
  });

  it("are cut at times that cannot be parsed", async () => {
    expect(await read(guest, BROKEN, lineEnd)).toBe(`WEBVTT\n\n${EARLY.join("\n")}\n`);
  });

  it("reach members unchanged", async () => {
    for (const lines of [SPACED, PACKED, COUNTED, BROKEN]) {
      expect(Buffer.from(await read(member, lines, lineEnd))).toEqual(Buffer.from(lines.join(lineEnd)));
    }
  });

  it("are accepted when they have a text", () => {
    const faults = [SPACED, PACKED, COUNTED, BROKEN, ["WEBVTT", "", "NOTE 1", ""], ["WEBVTT", "20 --> 22", "Hi"]];
    const none = "it has no cue";
    expect(faults.map((lines) => faultOfCaptions(lines.join(lineEnd)))).toEqual([null, null, null, null, none, none]);
    expect(faultOfCaptions(["WEBVTTS", ...EARLY].join(lineEnd))).toBe("it does not begin with WEBVTT");
  });
});
