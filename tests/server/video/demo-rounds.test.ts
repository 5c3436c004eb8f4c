import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { storeDemoVideos, readDemoVideos } from "#server/demo/videos.ts";
import { delayedSegment, timescalesIn } from "#server/demo/repeat-segments.ts";
import { world } from "../../support/world.ts";

/** Where each track of a segment begins and ends, in its own ticks (ISO/IEC 14496-12, 8.8). */
function spansIn(bytes: Buffer): Map<number, { from: number; to: number }> {
  const spans = new Map<number, { from: number; to: number }>();
  let [track, each] = [0, 0];
  const walk = (from: number, to: number): void => {
    for (let at = from; at < to; at += bytes.readUInt32BE(at)) {
      const type = bytes.toString("latin1", at + 4, at + 8);
      const flags = bytes.readUInt32BE(at + 8) & 0xffffff;
      if (type === "moof" || type === "traf") walk(at + 8, at + bytes.readUInt32BE(at));
      if (type === "tfhd") [track, each] = [bytes.readUInt32BE(at + 12), bytes.readUInt32BE(at + 16)];
      if (type === "tfdt") {
        const begins = Number(bytes.readBigUInt64BE(at + 12));
        spans.set(track, { from: begins, to: begins });
      }
      if (type === "trun") {
        const count = bytes.readUInt32BE(at + 12);
        const [hasTimes, words] = [(flags & 0x100) !== 0, [0x100, 0x200, 0x400, 0x800].filter((bit) => flags & bit)];
        const first = at + 16 + ((flags & 1) !== 0 ? 4 : 0) + ((flags & 4) !== 0 ? 4 : 0);
        for (let i = 0; i < count; i++)
          spans.get(track)!.to += hasTimes ? bytes.readUInt32BE(first + i * words.length * 4) : each;
      }
    }
  };
  walk(0, bytes.length);
  return spans;
}

it("every segment of a demo's video begins, in picture and sound, where the one before it ended", async () => {
  const w = await world();
  const stored = await storeDemoVideos(w.deps, readDemoVideos());
  const read = async (folder: string, name: string) =>
    buffer((await w.deps.storage.find(`${folder}/${name}`))!.read() as AsyncIterable<Buffer>);
  for (const { source, folder, durationMs, renditions } of stored.videos) {
    for (const { init, segments } of renditions) {
      const scales = timescalesIn(await read(folder, init));
      expect([source, [...scales.keys()]]).toEqual([source, [1, 2]]);
      const ends = new Map([...scales.keys()].map((track) => [track, 0]));
      for (const { name } of segments) {
        const spans = spansIn(await read(folder, name));
        expect([source, [...spans].map(([track, { from }]) => [track, from])]).toEqual([source, [...ends]]);
        for (const [track, { to }] of spans) ends.set(track, to);
      }
      // A clip may end within a round, where a frame of sound may reach over the end of a segment.
      for (const [track, scale] of scales)
        expect(Math.abs((ends.get(track)! / scale) * 1000 - durationMs)).toBeLessThan(100);
    }
  }
  await w.close();
});

it("a file is refused that is no fragmented MP4, or has a track that its init segment lacks", () => {
  expect(() => delayedSegment(Buffer.from("no boxes at all"), 8000, 2, new Map())).toThrow("a box of");
  const lost = Buffer.alloc(28);
  lost.writeUInt32BE(28, 0);
  lost.write("sidx", 4);
  lost.writeUInt32BE(7, 12);
  expect(() => delayedSegment(lost, 8000, 2, new Map([[1, 1000]]))).toThrow("a track");
});
