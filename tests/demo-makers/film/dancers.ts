import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, times, type Rgb } from "./colour.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, oval, polygon, rod } from "./shapes.ts";
import { gradient, mirror, type Surface } from "./surface.ts";

const FLOOR = 296;
const INK = rgb("160a22");
const SKY = [rgb("2a1450"), rgb("7a2c78"), rgb("e0607c"), rgb("ffb884")];

interface Dancer {
  x: number;
  size: number;
  phase: number;
  ribbon: Rgb;
  /** 1 or -1: which way she faces first. */
  side: number;
}

interface Pose {
  hip: { x: number; y: number };
  neck: { x: number; y: number };
  hands: { x: number; y: number }[];
  elbows: { x: number; y: number }[];
  lean: number;
  kick: number;
}

/** How she stands, leans and holds her arms at `t`; every limb swings on its own slow beat. */
function poseAt({ x, size, phase, side }: Dancer, t: number): Pose {
  const beat = t * 1.26 + phase;
  const hip = { x: x + 26 * Math.sin(beat * 0.5) * side, y: FLOOR - 66 * size + 5 * Math.cos(beat * 2) * size };
  const lean = 0.32 * Math.sin(beat + 0.6) * side;
  const neck = { x: hip.x + Math.sin(lean) * 40 * size, y: hip.y - Math.cos(lean) * 40 * size };
  const hands: Pose["hands"] = [];
  const elbows: Pose["elbows"] = [];
  for (const arm of [-1, 1]) {
    const lift = -0.55 - 0.95 * Math.sin(beat * (arm > 0 ? 1 : 0.75) + arm * 0.9);
    const bend = lift - 0.5 - 0.35 * Math.sin(beat * 1.5 + arm);
    const elbow = { x: neck.x + arm * Math.cos(lift) * 24 * size, y: neck.y + 5 * size + Math.sin(lift) * 24 * size };
    elbows.push(elbow);
    hands.push({ x: elbow.x + arm * Math.cos(bend) * 25 * size, y: elbow.y + Math.sin(bend) * 25 * size });
  }
  return { hip, neck, hands, elbows, lean, kick: Math.max(0, Math.sin(beat * 0.75 + 1)) ** 2 };
}

function drawLegs(s: Surface, { hip, kick }: Pose, { size, side }: Dancer): void {
  const foot = { x: hip.x - 4 * side * size, y: FLOOR - 1 };
  const knee = { x: hip.x + 3 * side, y: (hip.y + FLOOR) / 2 };
  rod(s, end(hip.x, hip.y, 7 * size), end(knee.x, knee.y, 4.6 * size), INK);
  rod(s, end(knee.x, knee.y, 4.6 * size), end(foot.x, foot.y - 2, 2.2 * size), INK);
  rod(s, end(foot.x, foot.y - 1.5, 2 * size), end(foot.x + 8 * side * size, foot.y, 1.2), INK);
  const turn = 1.45 - kick * 1.25;
  const other = { x: hip.x + side * Math.cos(turn) * 34 * size, y: hip.y + Math.sin(turn) * 34 * size };
  const low = turn + 0.35 * (1 - kick);
  const toe = {
    x: other.x + side * Math.cos(low) * 33 * size,
    y: Math.min(FLOOR - 1, other.y + Math.sin(low) * 33 * size),
  };
  rod(s, end(hip.x, hip.y, 7 * size), end(other.x, other.y, 4.6 * size), INK);
  rod(s, end(other.x, other.y, 4.6 * size), end(toe.x, toe.y, 1.6 * size), INK);
}

/** A long skirt whose hem swings after the hips. */
function drawSkirt(s: Surface, { hip, kick }: Pose, { size, phase, side }: Dancer, t: number): void {
  const corners = [hip.x - 8 * size, hip.y - 8 * size];
  for (let i = 0; i <= 12; i++) {
    const across = i / 6 - 1;
    const wave = 3.5 * Math.sin(i * 1.5 + t * 3 + phase);
    const blown = 15 * Math.sin(t * 1.26 * 0.5 + phase - 0.9) * side + kick * 16 * side;
    corners.push(
      hip.x + across * (27 + 12 * kick) * size + blown * (0.5 + 0.3 * across),
      hip.y + (38 + wave - 9 * across ** 2 - kick * 6) * size,
    );
  }
  corners.push(hip.x + 8 * size, hip.y - 8 * size);
  polygon(s, corners, mix(INK, rgb("4a1c4c"), 0.45), 0.97);
}

function drawBody(s: Surface, pose: Pose, { size, side }: Dancer): void {
  const { hip, neck, hands, elbows, lean } = pose;
  const waist = { x: (hip.x * 2 + neck.x) / 3, y: (hip.y * 2 + neck.y) / 3 };
  rod(s, end(hip.x, hip.y - 2, 8.4 * size), end(waist.x, waist.y, 5.6 * size), INK);
  rod(s, end(waist.x, waist.y, 5.6 * size), end(neck.x, neck.y + 7 * size, 7.4 * size), INK);
  const head = { x: neck.x + Math.sin(lean * 1.5) * 15 * size, y: neck.y - 13 * size };
  rod(s, end(neck.x, neck.y + 2, 3 * size), end(head.x, head.y, 3 * size), INK);
  oval(s, head.x, head.y, 6.4 * size, 8 * size, INK, 1, lean);
  disc(s, head.x - side * 4 * size, head.y - 7.5 * size, 4.4 * size, INK);
  for (const [i, hand] of hands.entries()) {
    const elbow = elbows[i]!;
    const shoulder = { x: neck.x + (i ? 7 : -7) * size, y: neck.y + 5 * size };
    rod(s, end(shoulder.x, shoulder.y, 3.4 * size), end(elbow.x, elbow.y, 2.7 * size), INK);
    rod(s, end(elbow.x, elbow.y, 2.7 * size), end(hand.x, hand.y, 1.7 * size), INK);
  }
}

/** The ribbon is where the hand was, carried on by the air. */
function drawRibbon(s: Surface, dancer: Dancer, t: number, hand: number): void {
  let from: { x: number; y: number } | null = null;
  for (let i = 0; i < 46; i++) {
    const ago = i * 0.042;
    const was = poseAt(dancer, t - ago).hands[hand]!;
    const away = (hand ? 1 : -1) * ago * 46 + 24 * ago * Math.sin(t * 1.1 - ago * 6 + dancer.phase);
    const to = { x: was.x + away, y: was.y + 12 * ago * Math.sin(t * 2 - ago * 8) + ago * ago * 16 - ago * 12 };
    const light = 0.7 + 0.5 * Math.sin(i * 0.55 - t * 3);
    if (from)
      rod(
        s,
        end(from.x, from.y, 2.9 * (1 - i / 60)),
        end(to.x, to.y, 2.9 * (1 - i / 60)),
        times(dancer.ribbon, light),
        0.92,
      );
    from = to;
  }
}

function drawBackdrop(s: Surface, t: number): void {
  gradient(s, (y) => along(SKY, y / FLOOR));
  glow(s, 320, 172, 300, rgb("ffc890"), 0.4);
  disc(s, 320, 172, 112, rgb("fff0cc"), 0.92);
  disc(s, 320, 172, 104, rgb("ffe2ae"), 0.5);
  ridge(s, (x) => 272 - 30 * noise(x / 90 + 20), rgb("a8487a"), rgb("8a3a70"), 30);
  ridge(s, () => FLOOR, rgb("3a1848"));
  for (let i = 0; i < 46; i++) {
    const x = ((i * 137.5 + t * (9 + (i % 5) * 4)) % 680) - 20;
    const y = ((i * 61.8 + t * (13 + (i % 7) * 3)) % 380) - 20 + 8 * Math.sin(t + i);
    oval(s, x, y, 3.6, 1.9, rgb("ffd0dc"), 0.8, t * (0.6 + (i % 3) * 0.4) + i);
  }
}

function begin(s: Surface): Painter {
  const dancers: Dancer[] = [
    { x: 128, size: 1.02, phase: 1.1, ribbon: rgb("ff9a5a"), side: 1 },
    { x: 512, size: 1.02, phase: 1.1, ribbon: rgb("8ad8ff"), side: -1 },
    { x: 320, size: 1.28, phase: 0, ribbon: rgb("ff4a6a"), side: 1 },
  ];
  return (t) => {
    drawBackdrop(s, t);
    for (const dancer of dancers) {
      const pose = poseAt(dancer, t + 5);
      drawRibbon(s, dancer, t + 5, 0);
      drawLegs(s, pose, dancer);
      drawSkirt(s, pose, dancer, t);
      drawBody(s, pose, dancer);
      drawRibbon(s, dancer, t + 5, 1);
    }
    mirror(s, FLOOR, t * 0.4, [0.03, 0.012, 0.04], { stretch: 0.7, ripple: 0.25, dark: 0.42 });
  };
}

export const dancers: Clip = {
  code: "ribbon-dance",
  category: "stage",
  seconds: 26,
  poster: 9,
  music: { seed: 159, root: 50, scale: "warm", bpm: 75, lead: "flute", busy: 4 },
  begin,
};
