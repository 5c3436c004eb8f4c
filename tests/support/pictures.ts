import sharp, { type Sharp } from "sharp";

/** A picture that its seed tells apart from others: left half one colour, right half another. */
export function drawing(width = 64, height = 48, seed = 1): Sharp {
  const colour = { r: (seed * 53) % 256, g: (seed * 101) % 256, b: (seed * 197) % 256 };
  const half = { width: Math.max(1, width >> 1), height, channels: 3, background: { r: 255, g: 0, b: 0 } } as const;
  return sharp({ create: { width, height, channels: 3, background: colour } }).composite([
    { input: { create: half }, left: 0, top: 0 },
  ]);
}

export const pngOf = async (width?: number, height?: number, seed?: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await drawing(width, height, seed).png().toBuffer());

export const fileOf = (bytes: Uint8Array<ArrayBuffer> | string, name = "me.png", type = "image/png"): File =>
  new File([bytes], name, { type });

/** The bytes of a one-pixel picture, for tests that need any picture at once. */
export const PIXEL = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
