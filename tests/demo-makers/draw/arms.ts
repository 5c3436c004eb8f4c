import { BUILDS, type Look } from "./look.ts";
import { at, box, group, limb, line, lit, oval, shape, shaded, type Colour, type Point } from "./svg.ts";

export type Pose =
  | "relaxed"
  | "folder"
  | "microphone"
  | "presenting"
  | "tablet"
  | "welcome"
  | "runway"
  | "guide"
  | "flowers"
  | "sign";
type Held = "folder" | "microphone" | "tablet" | "card" | "flowers" | null;

interface Reach {
  elbow: Point;
  wrist: Point;
  held?: Held;
  /** Drawn over the body rather than under it. */
  over: boolean;
}

const DOWN: Reach = { elbow: at(91, 212), wrist: at(84, 318), over: false };

/** Elbow and wrist of each arm, on its own side (x outwards): first the left of the picture, then the right. */
const POSES: Record<Pose, [Reach, Reach]> = {
  relaxed: [DOWN, DOWN],
  folder: [DOWN, { elbow: at(104, 208), wrist: at(6, 204), held: "folder", over: true }],
  microphone: [
    { elbow: at(96, 206), wrist: at(30, 104), held: "microphone", over: true },
    { elbow: at(112, 204), wrist: at(168, 146), over: false },
  ],
  presenting: [DOWN, { elbow: at(112, 200), wrist: at(188, 120), over: false }],
  tablet: [
    { elbow: at(100, 212), wrist: at(26, 252), over: true },
    { elbow: at(100, 212), wrist: at(30, 236), held: "tablet", over: true },
  ],
  welcome: [
    { elbow: at(108, 206), wrist: at(160, 264), over: false },
    { elbow: at(108, 206), wrist: at(164, 256), over: false },
  ],
  runway: [
    { elbow: at(118, 214), wrist: at(58, 272), over: true },
    { elbow: at(100, 214), wrist: at(98, 326), over: false },
  ],
  guide: [
    { elbow: at(100, 210), wrist: at(14, 212), held: "card", over: true },
    { elbow: at(116, 178), wrist: at(186, 84), over: false },
  ],
  flowers: [
    { elbow: at(100, 212), wrist: at(20, 238), over: true },
    { elbow: at(100, 212), wrist: at(14, 226), held: "flowers", over: true },
  ],
  sign: [DOWN, { elbow: at(104, 210), wrist: at(40, 150), held: "card", over: true }],
};

/** A hand at the origin, fingers towards +x. */
const hand = (skin: Colour) =>
  shape("M-8-10Q8-13 20-9Q33-6 33-1Q33 5 20 8Q6 12-8 10Z", skin) +
  shape("M2-8Q10-20 18-19Q21-15 14-7Z", skin) +
  line("M18 0L30 0", shaded(skin, 0.22), 1.4);

const HELD: Record<NonNullable<Held>, (inner: Colour) => string> = {
  folder: (inner) =>
    group(
      box(-52, -44, 86, 104, shaded(inner, 0.1), 6) +
        box(-46, -38, 74, 92, lit(inner, 0.3), 4) +
        box(-30, -18, 40, 5, shaded(inner), 2) +
        box(-30, -4, 26, 5, shaded(inner), 2),
      'transform="rotate(-8)"',
    ),
  microphone: () =>
    group(
      box(-4.5, -8, 9, 58, "#2b1f22", 4) +
        oval(at(0, -18), 13, 15, "#5b5258") +
        line("M-12-14Q0-8 12-14", "#2b1f22", 3),
      'transform="translate(2 -20) rotate(14)"',
    ),
  tablet: () =>
    group(
      box(-66, -50, 104, 74, "#2b2a30", 8) +
        box(-60, -44, 92, 62, "#eaf6f4", 4) +
        box(-52, -34, 40, 8, "#0f7b6c", 3) +
        box(-52, -20, 74, 5, "#b8d8d2", 2) +
        box(-52, -9, 60, 5, "#b8d8d2", 2),
      'transform="rotate(-6)"',
    ),
  card: (inner) =>
    group(
      box(-26, -62, 46, 64, "#fdf6ea", 4) +
        box(-20, -54, 34, 24, inner, 3) +
        box(-20, -24, 26, 4, shaded("#fdf6ea", 0.25), 2),
      'transform="rotate(8)"',
    ),
  flowers: (inner) =>
    shape("M-34-52L34-52L8 44L-8 44Z", "#f6e8d2") +
    shape("M6-52L34-52L8 44L0 44Z", "#e4d2b4") +
    [
      [-30, -58, 17],
      [0, -70, 20],
      [30, -58, 17],
      [-14, -50, 15],
      [16, -48, 15],
    ]
      .map(
        ([x, y, r], i) =>
          oval(at(x!, y!), r!, r!, i % 2 ? "#fbe3d3" : inner) +
          oval(at(x!, y!), r! / 2.6, r! / 2.6, i % 2 ? "#e4572e" : "#fbe3d3"),
      )
      .join("") +
    shape("M-40-44Q-60-60-52-80Q-38-66-34-50ZM40-44Q60-60 52-80Q38-66 34-50Z", "#0f7b6c"),
};

/** The arms of a pose: those under the body, and those over it with what is held. */
export function drawArms(look: Look, pose: Pose): { under: string; over: string } {
  const drawn = { under: "", over: "" };
  for (const [i, reach] of POSES[pose].entries()) {
    const side = i === 0 ? -1 : 1;
    drawn[reach.over ? "over" : "under"] += drawArm(look, reach, side);
  }
  return drawn;
}

function drawArm(look: Look, { elbow, wrist, held, over }: Reach, side: number): string {
  const { shoulder } = BUILDS[look.build];
  const grow = shoulder - 78;
  const sleeve = shaded(look.cloth, (over ? 0.06 : 0.04) + (side > 0 ? 0.09 : 0));
  const thick = look.build === "broad" ? 3 : 0;
  const points = [
    { x: side * (shoulder - 18), y: 120, half: 19 + thick },
    { x: side * (elbow.x + grow), y: elbow.y, half: 15.5 + thick },
    { x: side * wrist.x, y: wrist.y, half: 11.5 + thick },
  ] as const;
  const turn = (Math.atan2(points[2].y - points[1].y, points[2].x - points[1].x) * 180) / Math.PI;
  const place = `translate(${points[2].x} ${points[2].y})`;
  const fingers = group(hand(look.skin), `transform="${place} rotate(${turn})${side > 0 ? " scale(1 -1)" : ""}"`);
  const thing = held
    ? group(HELD[held](look.garment === "shirt" ? "#0f7b6c" : look.inner), `transform="${place}"`)
    : "";
  const wide = look.garment === "kimono" || look.garment === "hanbok";
  const arm = wide
    ? limb(points.slice(0, 2), sleeve) + drawBell(points[1], points[2], turn, sleeve)
    : limb(points, sleeve);
  return held === "microphone" ? arm + thing + fingers : thing + arm + fingers;
}

/** A wide sleeve from the elbow on, open at the wrist. */
function drawBell(elbow: Point & { half: number }, wrist: Point, turn: number, fill: Colour): string {
  const length = Math.hypot(wrist.x - elbow.x, wrist.y - elbow.y) + 4;
  const flip = Math.abs(turn) > 90 ? 1 : -1;
  const low = elbow.half + 26;
  const near = flip > 0 ? -low : -elbow.half;
  const far = flip > 0 ? elbow.half : low;
  const bell = shape(`M0-${elbow.half}L${length} ${near}Q${length + 7} 0 ${length} ${far}L0 ${elbow.half}Z`, fill);
  const opening = shape(
    `M${length} ${near}Q${length + 7} 0 ${length} ${far}Q${length - 7} 0 ${length} ${near}Z`,
    shaded(fill, 0.35),
  );
  return group(bell + opening, `transform="translate(${elbow.x} ${elbow.y}) rotate(${turn})"`);
}
