import type { LocalText } from "#shared/locales.ts";

export const DEMO_GAME_NAMES = {
  oneMinute: { en_us: "Three dice · 1 minute", vn_vn: "Ba xúc xắc · 1 phút" },
  threeMinutes: { en_us: "Three dice · 3 minutes", vn_vn: "Ba xúc xắc · 3 phút" },
  fiveMinutes: { en_us: "Three dice · 5 minutes", vn_vn: "Ba xúc xắc · 5 phút" },
} satisfies Record<string, LocalText>;

export const DEMO_PLAN_NAMES = {
  month: { en_us: "30 days", vn_vn: "30 ngày" },
  season: { en_us: "90 days", vn_vn: "90 ngày" },
  year: { en_us: "One year", vn_vn: "Một năm" },
} satisfies Record<string, LocalText>;

export const DEMO_NOTICES: { name: LocalText; text: LocalText }[] = [
  {
    name: { en_us: "Welcome to Trio" },
    text: { en_us: "This is a demo. Points are not money, and everybody you meet here is made up." },
  },
  {
    name: { en_us: "Every draw can be checked" },
    text: { en_us: "Each round shows its commitment before betting opens and its seed after the draw." },
  },
  {
    name: { en_us: "Your limits are yours" },
    text: { en_us: "Set limits for stakes, losses and top-ups, or take a break, whenever you like." },
  },
];
