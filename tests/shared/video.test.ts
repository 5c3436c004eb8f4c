import { describe, expect, it } from "vitest";
import { freeSegments, videoCard, videoWireId, type ShownVideo } from "#shared/video.ts";

describe("the free part of a video", () => {
  const SEGMENTS = [{ ms: 4_000 }, { ms: 3_000 }, { ms: 5_000 }];

  it.each([
    [0, 0],
    [1, 1],
    [4_000, 1],
    [4_001, 2],
    [7_000, 2],
    [7_001, 3],
    [99_000, 3],
  ])("of %i ms ends with segment %i", (freeMs, count) => {
    expect(freeSegments(SEGMENTS, freeMs)).toBe(count);
  });

  it("is nothing where there is nothing", () => {
    expect(freeSegments([], 1)).toBe(0);
  });
});

describe("a video's card", () => {
  const VIDEO: ShownVideo = {
    id: 7,
    title: { en_us: "Waves", ja_ja: "波" },
    durationMs: 3_600_499,
    publishedAt: 1_772_409_600_999,
    plays: 3,
    poster: { name: "a", widths: [320], ratio: 0.5, blur: "b" },
    demo: false,
  };

  it("shows whole seconds, the reader's title and the poster's shape, not its name", () => {
    expect(videoWireId(7)).toBe("vid_7");
    expect(videoCard(VIDEO, "ja_ja", "/poster")).toEqual({
      id: "vid_7",
      vod_name: "波",
      vod_pic: "/poster",
      vod_shape: { widths: [320], ratio: 0.5, blur: "b" },
      count: 3,
      time: 1_772_409_600,
      duration: 3_600,
      demo: 0,
    });
  });

  it("rounds its length, and says when it is a demo and when it has no poster", () => {
    const card = videoCard({ ...VIDEO, durationMs: 1_500, poster: null, demo: true }, "en_us", "");
    expect(card).toMatchObject({ duration: 2, vod_shape: null, demo: 1, vod_name: "Waves" });
  });
});
