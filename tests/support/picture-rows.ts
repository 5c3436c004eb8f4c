import sharp from "sharp";

export type Picture = Buffer;

const GAP_PX = 8;

/** Puts pictures side by side, line by line, into a file. */
export async function together(
  pictures: readonly Picture[],
  columns: number,
  width: number,
  file: string,
): Promise<void> {
  const all = await Promise.all(
    pictures.map((picture) => sharp(picture).resize({ width }).png().toBuffer({ resolveWithObject: true })),
  );
  const { height } = all[0]!.info;
  const placed = all.map(({ data }, place) => ({
    input: data,
    left: (place % columns) * (width + GAP_PX),
    top: Math.floor(place / columns) * (height + GAP_PX),
  }));
  const size = {
    width: columns * (width + GAP_PX) - GAP_PX,
    height: Math.ceil(all.length / columns) * (height + GAP_PX) - GAP_PX,
  };
  await sharp({ create: { ...size, channels: 3, background: "#8a8a8a" } })
    .composite(placed)
    .webp({ quality: 55 })
    .toFile(file);
}
