import type { Colour } from "./svg.ts";

/** The colours of a city: everything drawn there is of these. */
export interface Palette {
  /** Above, in the middle and at the horizon. */
  sky: [Colour, Colour, Colour];
  wall: Colour;
  deep: Colour;
  accent: Colour;
  light: Colour;
  floor: Colour;
  far: Colour;
  near: Colour;
}

/** In the order of the cities: Hà Nội, Đà Nẵng, TP. Hồ Chí Minh, Seoul, Busan, Osaka. */
export const PALETTES: readonly Palette[] = [
  {
    sky: ["#8fc4b4", "#cfe3cf", "#f8ecd2"],
    wall: "#ecd8ae",
    deep: "#0f5f54",
    accent: "#e4572e",
    light: "#fff4dc",
    floor: "#c9a97c",
    far: "#8db8a6",
    near: "#4f8f7f",
  },
  {
    sky: ["#6bb5bd", "#b5dcd6", "#fbe9c8"],
    wall: "#f3dfbd",
    deep: "#1c6672",
    accent: "#ef8a3c",
    light: "#fff6e0",
    floor: "#d9b98a",
    far: "#84bcc0",
    near: "#3f8a94",
  },
  {
    sky: ["#4b3a63", "#c2606a", "#f9b878"],
    wall: "#e9b48c",
    deep: "#4b2c50",
    accent: "#e4572e",
    light: "#ffe7b8",
    floor: "#8a5a4e",
    far: "#a3566c",
    near: "#5f3657",
  },
  {
    sky: ["#7f93b0", "#c8cdd2", "#f6dfcf"],
    wall: "#dcd6cc",
    deep: "#34435c",
    accent: "#d9654a",
    light: "#fff3e2",
    floor: "#a79b8d",
    far: "#98a5b8",
    near: "#5b6c88",
  },
  {
    sky: ["#3f8f96", "#a3d0c4", "#fcdcb6"],
    wall: "#cfe0d4",
    deep: "#125058",
    accent: "#ee7a52",
    light: "#fff5e0",
    floor: "#b99e80",
    far: "#6fa9a8",
    near: "#2b7479",
  },
  {
    sky: ["#b9564a", "#ee9a62", "#fbdb9c"],
    wall: "#f0cfa4",
    deep: "#7d2331",
    accent: "#0f7b6c",
    light: "#fff0cc",
    floor: "#a4704e",
    far: "#cf7a58",
    near: "#8f4040",
  },
];
