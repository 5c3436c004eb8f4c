/** Draws the pictures of the demo's listings anew and notes them in `listings.json`: `nice npx node tests/demo-makers/draw/main.ts`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { CAST } from "./cast.ts";
import { composePlace, composePortrait, composeWork } from "./compose.ts";
import { PALETTES } from "./palette.ts";
import { HEIGHT, WIDTH } from "./scenery.ts";
import { SCENES, type SceneName } from "./scenes.ts";

const FOLDER = new URL("../../../db/demo/pictures/", import.meta.url);
const LISTINGS = new URL("../../../db/demo/listings.json", import.meta.url);
/** How wide a file is, and how good. There is no WebP: the server makes it from this when a browser asks. */
const [PIXELS, QUALITY] = [720, 25];

sharp.concurrency(1);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
const SCENE_NAMES = Object.keys(SCENES) as SceneName[];
/** The places of each city, in the order of the scenes. Those who work in a city share them. */
const places: object[][] = [];
for (const city of PALETTES.keys()) {
  const drawn: object[] = [];
  for (const scene of SCENE_NAMES) drawn.push(await write(`place-${city}-${scene}`, composePlace(city, scene)));
  places.push(drawn);
}
const drawn = new Map<string, object[]>();
for (const person of CAST) {
  const pictures: object[] = [];
  for (const [i, compose] of [composePortrait, composeWork].entries()) {
    pictures.push(await write(`${person.code}-${i + 1}`, compose(person)));
  }
  // The place of their own scene, and two others of the city that follow it.
  const own = SCENE_NAMES.indexOf(person.scene);
  const around = [0, 1, 2].map((step) => places[person.city]![(own + step * 2) % SCENE_NAMES.length]!);
  drawn.set(person.code, [...pictures, ...around]);
}
const rows = JSON.parse(readFileSync(LISTINGS, "utf8")) as { code: string }[];
const noted = rows.map((row) => JSON.stringify({ ...row, pictures: drawn.get(row.code) }));
writeFileSync(LISTINGS, `[\n${noted.join(",\n")}\n]\n`);

async function write(file: string, svg: string): Promise<object> {
  const png = await sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 1 }).toBuffer();
  await sharp(png)
    .resize(PIXELS)
    .avif({ quality: QUALITY, effort: 2, tune: "ssim" })
    .toFile(path(`${file}-${PIXELS}.avif`));
  return { file, widths: [PIXELS], ratio: HEIGHT / WIDTH, blur: await blurOf(png) };
}

/** As server/pictures/encode.ts does it for what members bring. */
async function blurOf(png: Buffer): Promise<string> {
  const small = sharp(png).resize(100, 100, { fit: "inside" }).ensureAlpha();
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

function path(name: string): string {
  return new URL(name, FOLDER).pathname;
}
