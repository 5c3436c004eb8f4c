import type { Look } from "./look.ts";
import { hairBehind, hairInFront } from "./hair.ts";
import { at, line, mix, oval, shape, shaded, type Colour } from "./svg.ts";

const INK: Colour = "#2b1f22";
const FACE = "M-37-8C-39-60 39-60 37-8C36 18 30 35 15 47Q0 57-15 47C-30 35-36 18-37-8Z";

/** The head around (0, 0), 100 high, with its neck down to y = 90, turned a little to the right. */
export function drawHead(look: Look): { behind: string; neck: string; head: string } {
  const skin = look.skin;
  const dark = shaded(skin, 0.2);
  const scarf = look.hairStyle === "scarf";
  const neck =
    shape("M-17 28L-18 74Q-20 84-34 90Q0 122 34 90Q20 84 18 74L17 28Z", skin) +
    shape("M-17 34Q2 60 17 38L17.500 54Q4 76-17.500 56Z", dark, 'opacity=".8"');
  const clients = scarf ? "" : oval(at(-37, 5), 6, 10, skin) + oval(at(36, 5), 5, 9, dark);
  const face =
    shape(FACE, skin) +
    shape("M37-8C36 18 30 35 15 47Q8 52 0 53C20 42 29 18 26-12Z", dark, 'opacity=".38"') +
    (look.beard ? drawBeard(look.hair) : "");
  const rings =
    look.earrings && !scarf ? oval(at(-38, 19), 3.4, 3.4, "#f2b04a") + oval(at(37, 18), 3, 3.4, "#d9952f") : "";
  const head = clients + face + drawFeatures(look) + hairInFront(look) + rings;
  return { behind: hairBehind(look), neck, head };
}

function drawFeatures(look: Look): string {
  const { skin } = look;
  const brow = mix(look.hair, INK, 0.35);
  const lip = mix(skin, look.build === "slim" ? "#b5483f" : "#9c5245", look.build === "slim" ? 0.62 : 0.38);
  const dx = 4;
  const thick = look.build === "slim" ? 2.2 : 3.4;
  const blush = [-21, 24].map((x) => oval(at(x + dx / 2, 20), 8.5, 5.5, "#e4572e", 'opacity=".1"')).join("");
  const brows =
    line(`M${dx - 24}-10Q${dx - 16}-15.500 ${dx - 8}-11`, brow, thick) +
    line(`M${dx + 8}-11Q${dx + 15}-15.500 ${dx + 22}-10.500`, brow, thick);
  const eyes = drawEye(dx - 16, look, -1) + drawEye(dx + 15, look, 1);
  const nose = line(`M${dx + 2} 3Q${dx + 7} 15 ${dx + 5} 18.500Q${dx + 1} 21 ${dx - 3} 18.500`, shaded(skin, 0.3), 1.8);
  const mouth =
    shape(
      `M${dx - 11} 29Q${dx - 4} 30 ${dx - 1} 31Q${dx + 3} 30 ${dx + 10} 28.500Q${dx} 37 ${dx - 11} 29Z`,
      shaded(lip, 0.14),
    ) +
    shape(
      `M${dx - 11} 29Q${dx} 37 ${dx + 10} 28.500Q${dx + 6} 39.500 ${dx} 39.500Q${dx - 7} 39.500 ${dx - 11} 29Z`,
      lip,
    );
  return blush + brows + eyes + nose + mouth + (look.glasses ? drawGlasses(dx) : "");
}

function drawEye(x: number, { gaze, build }: Look, side: number): string {
  if (gaze === "smiling") return line(`M${x - 7} 3Q${x}-4 ${x + 7} 3`, INK, 2.4);
  if (gaze === "lowered") {
    const lashes = build === "slim" ? line(`M${x + side * 5} 4.500L${x + side * 9} 6.500`, INK, 1.6) : "";
    return line(`M${x - 7} 1Q${x} 7 ${x + 7} 1`, INK, 2.4) + lashes;
  }
  const flick = build === "slim" ? line(`M${x + side * 7} 0L${x + side * 9.5}-2.500`, INK, 1.8) : "";
  return (
    shape(`M${x - 7} 1.500Q${x}-5.500 ${x + 7} 1Q${x} 6 ${x - 7} 1.500Z`, "#fffaf2") +
    oval(at(x + 0.8, 0.8), 3.5, 3.8, INK) +
    oval(at(x + 2, -0.6), 1, 1, "#fffaf2") +
    line(`M${x - 7} 1.500Q${x}-6 ${x + 7} 1`, INK, 2) +
    flick
  );
}

function drawGlasses(dx: number): string {
  const rim = "#4a3530";
  return (
    [dx - 16, dx + 15]
      .map((x) => oval(at(x, 2), 11.5, 10, "#ffffff", `fill-opacity=".14" stroke="${rim}" stroke-width="1.800"`))
      .join("") + line(`M${dx - 4.5} 0Q${dx} -3 ${dx + 3.5} 0M${dx - 27}-1L-37-3M${dx + 26}-1L36-3`, rim, 1.8)
  );
}

function drawBeard(hair: Colour): string {
  return shape(
    "M-36 8C-34 28-28 40-15 48Q0 58 15 48C28 40 35 28 36 8C30 22 22 25 16 25Q4 22-8 25C-18 26-30 22-36 8Z",
    hair,
    'opacity=".16"',
  );
}
