import { describe, expect, it } from "vitest";
import { masterPlaylist, variantOf, variantPlaylist } from "#server/domains/video/playlists.ts";
import type { Rendition } from "#shared/video.ts";

const rendition = (height: number, ...ms: number[]): Rendition => ({
  width: height * 2,
  height,
  bandwidth: height * 1_000,
  codecs: "avc1.4d401e,mp4a.40.2",
  init: `${height}.mp4`,
  segments: ms.map((one, i) => ({ name: `${height}-${i}.m4s`, ms: one })),
});

describe("the playlist of all sizes", () => {
  it("names each with its bandwidth, size and codecs", () => {
    expect(masterPlaylist([rendition(360), rendition(720)])).toBe(
      `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=360000,RESOLUTION=720x360,CODECS="avc1.4d401e,mp4a.40.2"
0.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=720000,RESOLUTION=1440x720,CODECS="avc1.4d401e,mp4a.40.2"
1.m3u8
`,
    );
  });

  it("tells the average bandwidth where it was measured", () => {
    const master = masterPlaylist([{ ...rendition(360), averageBandwidth: 300_000 }]);
    expect(master).toContain("BANDWIDTH=360000,AVERAGE-BANDWIDTH=300000,RESOLUTION=720x360");
  });

  it("tells the frame rate where it was counted, to three decimals", () => {
    expect(masterPlaylist([{ ...rendition(360), frameRate: 29.97 }])).toContain(
      "RESOLUTION=720x360,FRAME-RATE=29.970,CODECS",
    );
  });

  it("finds a size by the name that it gave it, and by no other", () => {
    const sizes = [rendition(360), rendition(720)];
    const found = ["0.m3u8", "1.m3u8", "2.m3u8", "-1.m3u8", "index.m3u8"].map((name) => variantOf(sizes, name)?.height);
    expect(found).toEqual([360, 720, undefined, undefined, undefined]);
  });
});

describe("the playlist of one size", () => {
  const SIZE = rendition(360, 4_000, 4_001, 2_500);
  const playlist = (longest: number, ...segments: string[]) =>
    [
      "#EXTM3U",
      "#EXT-X-VERSION:7",
      `#EXT-X-TARGETDURATION:${longest}`,
      "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXT-X-INDEPENDENT-SEGMENTS",
      '#EXT-X-MAP:URI="360.mp4"',
      ...segments,
      "#EXT-X-ENDLIST\n",
    ].join("\n");

  it("lists every segment with its seconds for a member", () => {
    const all = ["#EXTINF:4.000,", "360-0.m4s", "#EXTINF:4.001,", "360-1.m4s", "#EXTINF:2.500,", "360-2.m4s"];
    expect(variantPlaylist(SIZE, null)).toBe(playlist(5, ...all));
  });

  it("ends for others with the segment in which the free time ends, and does not tell that there is more", () => {
    const [first, second] = [
      ["#EXTINF:4.000,", "360-0.m4s"],
      ["#EXTINF:4.001,", "360-1.m4s"],
    ];
    expect(variantPlaylist(SIZE, 0)).toBe(playlist(5));
    expect(variantPlaylist(SIZE, 1)).toBe(playlist(5, ...first));
    expect(variantPlaylist(SIZE, 4_000)).toBe(playlist(5, ...first));
    expect(variantPlaylist(SIZE, 4_001)).toBe(playlist(5, ...first, ...second));
  });

  it("says at least a second, as players ask for", () => {
    expect(variantPlaylist(rendition(360, 1), null)).toContain("#EXT-X-TARGETDURATION:1\n");
    expect(variantPlaylist(rendition(360), null)).toContain("#EXT-X-TARGETDURATION:1\n");
    expect(variantPlaylist(rendition(360, 1_000), null)).toContain("#EXT-X-TARGETDURATION:1\n");
    expect(variantPlaylist(rendition(360, 1_001), null)).toContain("#EXT-X-TARGETDURATION:2\n");
  });
});
