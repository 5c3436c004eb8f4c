/** Boxes that only contain others (ISO/IEC 14496-12). */
const HOLDERS = new Set(["moov", "trak", "mdia", "moof", "traf"]);
const HEAD = 8;

interface Box {
  type: string;
  /** What is in it, as a view on the same bytes. */
  body: Buffer;
}

/** Every box of a fragmented MP4, a container before its content. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0, size = 0; at < bytes.length; at += size) {
    size = bytes.readUInt32BE(at);
    if (size < HEAD || at + size > bytes.length) throw new Error(`a box of ${size} bytes at ${at} of ${bytes.length}`);
    const box = { type: bytes.toString("latin1", at + 4, at + HEAD), body: bytes.subarray(at + HEAD, at + size) };
    yield box;
    if (HOLDERS.has(box.type)) yield* boxesIn(box.body);
  }
}

/** In how many parts each track of an init segment counts a second, by its number. */
export function timescalesIn(init: Buffer): Map<number, number> {
  const scales = new Map<number, number>();
  let track = 0;
  for (const { type, body } of boxesIn(init)) {
    const wide = body[0] === 1;
    if (type === "tkhd") track = body.readUInt32BE(wide ? 20 : 12);
    if (type === "mdhd") scales.set(track, body.readUInt32BE(wide ? 20 : 12));
  }
  return scales;
}

/** A segment as it is played again: so much later in each of its tracks, as the `place`th of all (from 0). */
export function delayedSegment(segment: Buffer, ms: number, place: number, timescales: Map<number, number>): Buffer {
  const later = Buffer.from(segment);
  let track = 0;
  for (const { type, body } of boxesIn(later)) {
    if (type === "mfhd") body.writeUInt32BE(place + 1, 4);
    if (type === "tfhd") track = body.readUInt32BE(4);
    if (type === "tfdt") addTo(body, 4, ms, timescales.get(track));
    if (type === "sidx") addTo(body, 12, ms, timescales.get(body.readUInt32BE(4)));
  }
  return later;
}

/** Adds time to the number at a place, which is 64 bits long in a box of version 1. */
function addTo(body: Buffer, at: number, ms: number, timescale: number | undefined): void {
  if (timescale === undefined) throw new Error("a track that the init segment does not have");
  const ticks = (ms * timescale) / 1000;
  if (body[0] === 1) body.writeBigUInt64BE(body.readBigUInt64BE(at) + BigInt(ticks), at);
  else body.writeUInt32BE(body.readUInt32BE(at) + ticks, at);
}
