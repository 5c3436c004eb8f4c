import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodePicture } from "#server/pictures/encode.ts";
import { NoPicture } from "#shared/picture.ts";
import { drawing } from "../../support/pictures.ts";

const AVATAR = { widths: [512], formats: ["webp"], square: true } as const;

const encodeAvatar = async (bytes: Uint8Array) => (await encodePicture(bytes, AVATAR)).files[0]!.bytes;
const look = (bytes: Uint8Array) => sharp(bytes).metadata();
/** Whether it is refused as no picture; other errors are thrown. */
const isRefused = (bytes: Uint8Array): Promise<boolean> =>
  encodePicture(bytes, AVATAR).then(
    () => false,
    (error: unknown) => (error instanceof NoPicture ? true : Promise.reject(error as Error)),
  );

/** A PNG that claims this size, with hardly any data. */
async function claiming(width: number, height: number): Promise<Buffer> {
  const png = await drawing(8, 8).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** An animation of so many frames, one pixel each. */
function animated(frames: number): Buffer {
  const head = Buffer.from("474946383961010001008000000000ff000000", "hex");
  const frame = Buffer.from("21f90400010000002c0000000001000100000202440100", "hex");
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(";")]);
}

describe("an uploaded picture", () => {
  it.each(["jpeg", "png", "webp", "gif", "avif"] as const)("may be %s, and is re-encoded", async (format) => {
    const bytes = await encodeAvatar(await drawing(600, 800).toFormat(format).toBuffer());
    expect(await look(bytes)).toMatchObject({ format: "webp", width: 512, height: 512 });
  });

  it("keeps its size when it is small, and is cut out of the middle", async () => {
    expect(await look(await encodeAvatar(await drawing(40, 90).png().toBuffer()))).toMatchObject({
      width: 40,
      height: 40,
    });
    expect(await look(await encodeAvatar(await drawing(1, 1).png().toBuffer()))).toMatchObject({ width: 1 });
  });

  it("loses the metadata of place and camera, and stands upright", async () => {
    const gps = { IFD0: { Make: "Phone" }, IFD3: { GPSLatitude: "10/1 46/1 0/1", GPSLatitudeRef: "N" } };
    const photo = await drawing(80, 40).withExif(gps).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await look(photo)).exif).toBeDefined();
    const { files } = await encodePicture(photo, { widths: [512], formats: ["webp"] });
    const { exif, icc, xmp, iptc, orientation, width, height } = await look(files[0]!.bytes);
    expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect([width, height]).toEqual([40, 80]);
    // Turned to the right, what was on the left is on top.
    const pixels = await sharp(files[0]!.bytes).raw().toBuffer();
    const redAt = (row: number) => pixels[(row * 40 + 20) * 3]!;
    expect(redAt(10)).toBeGreaterThan(240);
    expect(redAt(70)).toBeLessThan(80);
  });

  it("may have four inks, sixteen bits, greys or a transparent background", async () => {
    const inks = await drawing(64, 64).toColourspace("cmyk").jpeg().toBuffer();
    const deep = await drawing(64, 64).toColourspace("rgb16").png().toBuffer();
    const grey = await drawing(64, 64).toColourspace("b-w").png().toBuffer();
    for (const bytes of [inks, deep, grey]) {
      expect(await look(await encodeAvatar(bytes))).toMatchObject({ format: "webp", space: "srgb", width: 64 });
    }
    const glass = await sharp({
      create: { width: 9, height: 9, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    expect((await look(await encodeAvatar(glass))).hasAlpha).toBe(true);
  });

  it("is its first frame, however many there are", async () => {
    const bytes = animated(5_000);
    expect((await look(bytes)).pages).toBe(5_000);
    expect((await look(await encodeAvatar(bytes))).pages ?? 1).toBe(1);
  });

  it("loses any data appended to it", async () => {
    const png = await drawing().png().toBuffer();
    const stored = await encodeAvatar(Buffer.concat([png, Buffer.from("a secret behind the end")]));
    expect(stored.includes("secret")).toBe(false);
  });
});

describe("an invalid picture", () => {
  it.each([
    ["nothing", ""],
    ["text", "I am a picture, believe me"],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    [
      "a drawing that can run scripts",
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0"/></svg>`,
    ],
    ["a head without a body", "\u0089PNG\r\n\u001a\n"],
    ["a program that begins like a GIF", "GIF89a/*aaaa*/=1;alert(1)//"],
  ])("is refused: %s", async (_, text) => {
    expect(await isRefused(Buffer.from(text, "latin1"))).toBe(true);
  });

  it("is refused in an unsupported format", async () => {
    expect(await isRefused(await drawing().tiff().toBuffer())).toBe(true);
    const portable = Buffer.concat([Buffer.from("P6 2 2 255\n"), Buffer.alloc(12)]);
    expect(await isRefused(portable)).toBe(true);
  });

  it.each(["jpeg", "png", "webp", "gif", "avif"] as const)("is refused when it was truncated: %s", async (format) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const whole = sharp({ create: { width: 200, height: 200, channels: 3, background: "red", noise } });
    const bytes = await whole.toFormat(format).toBuffer();
    await encodeAvatar(bytes);
    expect(await isRefused(bytes.subarray(0, bytes.length >> 1))).toBe(true);
  });

  it("is refused at once when it claims more pixels than any camera takes", async () => {
    for (const [width, height] of [
      [30_000, 30_000],
      [2_147_483_647, 2_147_483_647],
      [1, 0],
    ] as const) {
      const refused = encodeAvatar(await claiming(width, height));
      await expect(refused).rejects.toThrow(NoPicture);
      await expect(refused).rejects.not.toThrow("too much memory or time");
    }
  });

  it("is refused when it is also a page, a program, a document or an archive", async () => {
    const png = await drawing().png().toBuffer();
    const archive = Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]);
    const others = ["<SCRIPT>alert(1)</SCRIPT>", "<?php system($_GET[0]);", "<html>", "%PDF-1.7"].map(Buffer.from);
    const noted = Buffer.concat([archive, Buffer.from("a note")]);
    noted.writeUInt16LE("a note".length, archive.length - 2);
    for (const other of [...others, archive, noted]) expect(await isRefused(Buffer.concat([png, other]))).toBe(true);
    const inside = await drawing()
      .withExif({ IFD0: { Copyright: "<script src=//evil></script>" } })
      .jpeg()
      .toBuffer();
    expect(await isRefused(inside)).toBe(true);
  });
});

describe("many pictures at once", () => {
  it("are encoded one after another, elsewhere than in this process, whatever the outcome of each", async () => {
    const good = await drawing(300, 300).png().toBuffer();
    const done: number[] = [];
    const all = [good, Buffer.from("bad"), good, Buffer.from("bad"), good].map((bytes, place) =>
      encodeAvatar(bytes)
        .catch(() => null)
        .finally(() => done.push(place)),
    );
    expect((await Promise.all(all)).map(Boolean)).toEqual([true, false, true, false, true]);
    expect(done).toEqual([0, 1, 2, 3, 4]);
    expect(sharp.counters().process).toBe(0);
  });
});
