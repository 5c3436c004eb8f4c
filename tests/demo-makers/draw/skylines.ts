import type { Palette } from "./palette.ts";
import { at, box, line, oval, shape, type Colour } from "./svg.ts";

type Draw = (far: Colour, near: Colour, light: Colour) => string;

/** Plain houses: heights from left to right, each `width` wide, standing on y = 0. */
const houses = (heights: readonly number[], width: number, fill: Colour) =>
  heights.map((height, i) => box(i * width - 500, -height, width + 0.5, height, fill)).join("");

const windows = (spots: readonly (readonly [number, number])[], light: Colour) =>
  spots.map(([x, y]) => box(x, y, 7, 11, light, 1, 'opacity=".75"')).join("");

const hills = (fill: Colour, d: string) => shape(d, fill);

/** Each 1000 wide around x = 0, standing on y = 0, with what the city is known for in the middle or beside it. */
const SKYLINES: readonly Draw[] = [
  (far, near, light) =>
    houses([70, 110, 90, 140, 100, 80, 120, 90, 130, 100, 76, 110, 150, 90, 120, 84, 100, 130, 80, 90], 50, far) +
    box(-60, -120, 120, 120, near) +
    shape("M-76-120L76-120L60-146L-60-146Z", near) +
    box(-42, -196, 84, 52, near) +
    shape("M-56-196L56-196L40-218L-40-218Z", near) +
    box(-24, -254, 48, 38, near) +
    shape("M-36-254L36-254L6-284L-6-284Z", near) +
    [-34, 0, 34]
      .map((x) => shape(`M${x - 11} 0L${x - 11}-52A11 11 0 0 1 ${x + 11}-52L${x + 11} 0Z`, light, 'opacity=".55"'))
      .join("") +
    oval(at(0, -172), 12, 12, light, 'opacity=".55"') +
    [-260, 240].map((x) => oval(at(x, -40), 90, 58, near) + oval(at(x + 70, -26), 60, 40, near)).join(""),
  (far, near) =>
    hills(far, "M-500 0Q-380-150-250-70Q-120-220 40-90Q160-160 300-60Q400-110 500-40L500 0Z") +
    line("M-440-30Q-330-150-220-40Q-110-170 0-40Q110-170 220-40Q330-150 420-50", near, 13) +
    line("M420-50Q462-80 454-40", near, 13) +
    box(-500, -34, 1000, 12, near) +
    [-380, -220, -60, 0, 100, 220, 360].map((x) => box(x - 7, -26, 14, 26, near)).join(""),
  (far, near, light) =>
    houses(
      [120, 170, 140, 210, 160, 130, 190, 150, 120, 180, 220, 140, 160, 200, 130, 170, 150, 110, 190, 140],
      50,
      far,
    ) +
    shape("M30 0L22-180Q34-350 74-420Q112-340 118-180L112 0Z", near) +
    oval(at(120, -250), 30, 8, near) +
    box(-120, -300, 74, 300, near) +
    box(-90, -360, 12, 62, near) +
    box(-240, -200, 96, 200, near) +
    box(190, -240, 88, 240, near) +
    box(310, -150, 110, 150, near) +
    box(-400, -140, 110, 140, near) +
    windows(
      [
        [-105, -270],
        [-80, -240],
        [-105, -200],
        [-66, -170],
        [-100, -130],
        [-220, -170],
        [-180, -130],
        [-210, -90],
        [60, -280],
        [80, -230],
        [54, -180],
        [84, -130],
        [210, -210],
        [240, -160],
        [214, -110],
        [340, -120],
        [380, -80],
        [-370, -100],
        [-330, -60],
      ],
      light,
    ),
  (far, near, light) =>
    hills(far, "M-500 0Q-330-80-180-150Q-60-260 30-262Q130-240 230-140Q360-60 500-50L500 0Z") +
    box(22, -380, 12, 130, far) +
    box(12, -318, 32, 34, far) +
    shape("M24-380L28-440L32-380Z", far) +
    houses([60, 90, 70, 110, 80, 60, 0, 0, 0, 0, 0, 0, 0, 0, 70, 100, 80, 120, 70, 90], 50, near) +
    shape("M-210-104Q-150-112-120-150L120-150Q150-112 210-104L190-88L-190-88Z", near) +
    shape("M-130-168Q-90-176-70-206L70-206Q90-176 130-168L116-150L-116-150Z", near) +
    box(-160, -90, 320, 90, near) +
    [-110, -38, 38, 110].map((x) => box(x - 18, -66, 36, 66, light, 2, 'opacity=".5"')).join(""),
  (far, near, light) =>
    houses([150, 210, 170, 240, 130, 90, 60, 40, 30, 20, 20, 30, 40, 60, 110, 160, 220, 180, 140, 120], 50, far) +
    [-190, 190]
      .map(
        (x) =>
          box(x - 22, -230, 9, 230, near) +
          box(x + 13, -230, 9, 230, near) +
          box(x - 22, -200, 44, 7, near) +
          box(x - 22, -130, 44, 7, near),
      )
      .join("") +
    line("M-500-90Q-320-120-190-226Q0 10 190-226Q320-120 500-90", near, 6) +
    box(-500, -70, 1000, 16, near) +
    [-420, -360, -300, -250, -140, -90, -45, 0, 45, 90, 140, 250, 300, 360, 420]
      .map((x) => line(`M${x}-70L${x}-${Math.abs(Math.abs(x) - 190) < 120 ? 140 : 100}`, near, 2))
      .join("") +
    windows(
      [
        [-440, -170],
        [-380, -120],
        [290, -120],
        [330, -180],
        [-330, -190],
      ],
      light,
    ),
  (far, near, light) =>
    houses([90, 130, 100, 160, 120, 80, 110, 70, 60, 80, 70, 90, 70, 120, 160, 110, 140, 100, 120, 80], 50, far) +
    shape("M-150 0L-120-80L120-80L150 0Z", near) +
    [
      [104, -80, 60],
      [82, -148, 54],
      [58, -208, 48],
    ]
      .map(
        ([w, y, h]) =>
          box(-w! * 0.8, y! - h! + 8, w! * 1.6, h!, near) +
          shape(
            `M-${w! * 1.25} ${y! - h! + 26}Q-${w! * 0.9} ${y! - h! + 14}-${w! * 0.7} ${y! - h! - 10}L${w! * 0.7} ${y! - h! - 10}Q${w! * 0.9} ${y! - h! + 14} ${w! * 1.25} ${y! - h! + 26}Z`,
            near,
          ),
      )
      .join("") +
    [-40, 0, 40].map((x) => box(x - 9, -112, 18, 22, light, 2, 'opacity=".6"')).join("") +
    [-290, 280].map((x) => oval(at(x, -46), 84, 60, near) + oval(at(x - 66, -26), 56, 40, near)).join(""),
];

/** A city's skyline on the line `y`, its middle at `x`. */
export function drawSkyline(city: number, { far, near, light }: Palette, x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})">${SKYLINES[city]!(far, near, light)}</g>`;
}
