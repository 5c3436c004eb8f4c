import type { Locator } from "playwright-core";
import sharp from "sharp";

/** The contrast of a light text with the brightest point behind its lines, by the pixels: axe does not look at pictures. */
export async function worstContrast(text: Locator): Promise<number> {
  const { colour, clip } = await text.evaluate((element) => {
    const { color } = getComputedStyle(element);
    element.style.color = "transparent";
    const lines = document.createRange();
    lines.selectNodeContents(element);
    const { x, y, width, height } = lines.getBoundingClientRect();
    return { colour: color, clip: { x, y, width, height } };
  });
  const ground = await sharp(await text.page().screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer();
  const points = Array.from({ length: ground.length / 3 }, (_, i) => luminance(ground.subarray(i * 3, i * 3 + 3)));
  const own = luminance(colour.match(/\d+/g)!.slice(0, 3).map(Number));
  return (own + 0.05) / (points.reduce((most, one) => Math.max(most, one)) + 0.05);
}

/** The relative luminance of WCAG. */
function luminance(rgb: Iterable<number>): number {
  const [r, g, b] = [...rgb].map((part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
