import { readWords } from "../words/read.ts";
import type { Pose } from "./arms.ts";
import type { Garment, HairStyle, Look } from "./look.ts";
import type { SceneName } from "./scenes.ts";
import type { Colour } from "./svg.ts";

/** One of the sixty: who they are, what they do, and how that looks. */
export interface Person {
  code: string;
  city: number;
  /** Of the names in `words/names.txt`. */
  line: number;
  scene: SceneName;
  backdrop: number;
  portrait: Look;
  portraitPose: Pose;
  atWork: Look;
  workPose: Pose;
  /** Crossed collars close on one side only, so who wears one is never mirrored. */
  mirrored: boolean;
}

const CITIES = 6;
const SKINS: Colour[] = ["#f6d9c3", "#f0c8a8", "#e3b088", "#cf9468", "#a86f47", "#7d4d30"];
const HAIRS: Colour[] = ["#221d1f", "#3a2620", "#2a2024", "#4d3024", "#2c2326", "#5c3826"];
const HERS: HairStyle[] = ["bob", "waves", "lowBun", "straight", "ponytail", "pixie", "topBun", "curls"];
const HIS: HairStyle[] = ["sidePart", "quiff", "crop"];
const SCENE_NAMES: SceneName[] = ["stage", "fair", "gala", "promenade", "gallery", "rooftop"];
const HER_CLOTHES: Record<SceneName, Garment[]> = {
  stage: ["gown", "blazer"],
  fair: ["blazer", "shirt"],
  gala: ["gown", "dress"],
  promenade: ["turtleneck", "dress"],
  gallery: ["turtleneck", "blazer"],
  rooftop: ["dress", "blazer"],
};
const HIS_CLOTHES: Record<SceneName, Garment> = {
  stage: "tuxedo",
  fair: "shirt",
  gala: "tuxedo",
  promenade: "turtleneck",
  gallery: "blazer",
  rooftop: "suit",
};
const AT_HOME: Garment[] = ["aodai", "aodai", "aodai", "hanbok", "hanbok", "kimono"];
const CLOTHS: [Colour, Colour][] = [
  ["#0f7b6c", "#fbe3d3"],
  ["#b93c16", "#f2b04a"],
  ["#f1e0c6", "#0f7b6c"],
  ["#2f3b52", "#f0a184"],
  ["#e4572e", "#f6d59a"],
  ["#14532d", "#f2b04a"],
  ["#c9a26b", "#3a3136"],
  ["#7a3b4b", "#f1d2b8"],
  ["#f3c9ae", "#b9475a"],
  ["#4f8f8a", "#fdf0d8"],
];
const DARK: [Colour, Colour][] = [
  ["#2b2730", "#7a1f2b"],
  ["#2f3b52", "#e4572e"],
  ["#1f4a40", "#f2b04a"],
  ["#4a3b34", "#0f7b6c"],
];
const PALE: [Colour, Colour][] = [
  ["#fdf6ea", "#0f7b6c"],
  ["#e9dcc6", "#14532d"],
  ["#f6e3d0", "#b93c16"],
];
const POSES: Record<SceneName, Pose[]> = {
  stage: ["microphone"],
  fair: ["tablet", "sign", "presenting"],
  gala: ["welcome", "flowers"],
  promenade: ["runway", "relaxed"],
  gallery: ["guide", "presenting"],
  rooftop: ["presenting", "welcome"],
};
const PORTRAIT_POSES: Pose[] = ["relaxed", "folder", "relaxed", "runway", "sign", "relaxed", "folder"];

const of = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

function dress(garment: Garment, i: number): Pick<Look, "garment" | "cloth" | "inner"> {
  const pairs = garment === "suit" || garment === "tuxedo" ? DARK : garment === "shirt" ? PALE : CLOTHS;
  const [cloth, inner] = of(pairs, i);
  return { garment, cloth, inner };
}

function castOne(i: number, who: string): Person {
  const city = i % CITIES;
  const seat = Math.floor(i / CITIES);
  const him = who[0] === "m";
  const scene = of(SCENE_NAMES, seat + city * 2 + (seat > 5 ? 1 : 0));
  const local = !him && who[0] === "f" && Number(who[1]) < 3 && (seat === 3 || seat === 8);
  const first = him ? HIS_CLOTHES[scene] : local ? AT_HOME[city]! : of(HER_CLOTHES[scene], seat + city);
  const second = him
    ? of<Garment>(["blazer", "shirt", "suit", "turtleneck"], seat + city)
    : local
      ? first
      : of<Garment>(["blazer", "dress", "turtleneck", "gown", "shirt"], seat * 2 + city);
  const person = {
    build: him ? ("broad" as const) : ("slim" as const),
    skin: SKINS[Number(who[1])]!,
    hair: of(HAIRS, seat * 5 + city * 2),
    hairStyle: him ? of(HIS, seat + city) : who[0] === "s" ? ("scarf" as const) : of(HERS, seat * 3 + city),
    glasses: (seat * 7 + city * 3) % 9 === 4,
    earrings: !him && (seat + city) % 2 === 0,
    beard: him && (seat + city) % 3 === 1,
  };
  const backdrop = (seat + city * 5 + 1) % 6;
  const gaze = of(["open", "open", "smiling"] as const, seat + city * 2);
  return {
    code: `demo-${String(i + 1).padStart(3, "0")}`,
    city,
    line: city * 10 + seat,
    scene,
    backdrop,
    portrait: { ...person, ...dress(second, seat * 3 + city * 4 + 1), gaze },
    portraitPose: local ? "relaxed" : of(PORTRAIT_POSES, seat * 2 + city),
    atWork: { ...person, ...dress(first, local ? seat * 3 + city * 4 + 1 : seat * 3 + city * 4 + 5), gaze: "open" },
    workPose: local && scene !== "stage" ? "welcome" : of(POSES[scene], seat + city),
    mirrored: !local && (seat + city) % 2 === 1,
  };
}

/** Everybody, ten from each city, city after city in turn. */
export const CAST: readonly Person[] = (() => {
  const names = readWords("names");
  return names.map((_, i) => castOne(i, names[(i % CITIES) * 10 + Math.floor(i / CITIES)]!.key));
})();
