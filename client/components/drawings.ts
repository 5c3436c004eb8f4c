/** How a path is drawn: filled like a card, as an outline, in the brand's colour, or as thick dots. */
export const LOOKS = {
  solid: "fill-card stroke-muted",
  line: "fill-none stroke-muted",
  mark: "fill-none stroke-brand-text",
  dots: "fill-none stroke-brand-text stroke-5",
} as const;

type Layer = readonly [look: keyof typeof LOOKS, path: string];

const WALLET: readonly Layer[] = [
  ["solid", "M22 34h52a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4H22a4 4 0 0 1-4-4V38a4 4 0 0 1 4-4z"],
  ["solid", "M78 44H66a6 6 0 0 0 0 12h12z"],
  ["dots", "M67 50h.01"],
];

const CARD: Layer = ["solid", "M27 10h42a3 3 0 0 1 3 3v50a3 3 0 0 1-3 3H27a3 3 0 0 1-3-3V13a3 3 0 0 1 3-3z"];

const FILM: Layer = ["solid", "M20 16h56a3 3 0 0 1 3 3v42a3 3 0 0 1-3 3H20a3 3 0 0 1-3-3V19a3 3 0 0 1 3-3z"];
const HOLES: Layer = ["line", "M28 16v48M68 16v48M17 28h11M17 40h11M17 52h11M68 28h11M68 40h11M68 52h11"];

/** At the lower end of what was looked at before. */
const CLOCK: readonly Layer[] = [
  ["solid", "M68 46a13 13 0 1 1 0 26 13 13 0 0 1 0-26z"],
  ["mark", "M68 52v8l5 3"],
];

const LOCK: Layer = ["solid", "M28 36h40a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3H28a3 3 0 0 1-3-3V39a3 3 0 0 1 3-3z"];

/** The drawings of empty screens, on 96 × 80 units: each is what would be listed here, or what closes it. */
export const DRAWINGS = {
  bank: [
    ["solid", "M48 12 80 30H16z"],
    ["solid", "M22 30h52v30H22z"],
    ["line", "M32 36v18M42 36v18M54 36v18M64 36v18"],
    ["solid", "M16 60h64v7H16z"],
    ["dots", "M48 23h.01"],
  ],
  bets: [
    ["solid", "M26 12h34v50l-5.7-4-5.6 4-5.7-4-5.7 4-5.6-4-5.7 4z"],
    ["line", "M34 24h18M34 32h18M34 40h8"],
    ["solid", "m56 42 18-5 5 18-18 5z"],
    ["dots", "M63.5 45h.01M67.5 48.5h.01M71.5 52h.01"],
  ],
  calendar: [
    ["solid", "M24 20h48a3 3 0 0 1 3 3v40a3 3 0 0 1-3 3H24a3 3 0 0 1-3-3V23a3 3 0 0 1 3-3z"],
    ["line", "M21 33h54M34 13v12M62 13v12"],
    ["mark", "M40 49h16"],
  ],
  channels: [
    ["solid", "M18 18h44a4 4 0 0 1 4 4v26a4 4 0 0 1-4 4H18a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4z"],
    ["line", "M14 28h52M22 42h12"],
    ["solid", "M60 32h18a3 3 0 0 1 3 3v32a3 3 0 0 1-3 3H60a3 3 0 0 1-3-3V35a3 3 0 0 1 3-3z"],
    ["mark", "m63 51 4 4 8-9"],
  ],
  cities: [
    ["solid", "M18 36h22v30H18z"],
    ["solid", "M62 42h16v24H62z"],
    ["solid", "M40 14h22v52H40z"],
    ["line", "M25 44h8M25 52h8M47 24h8M47 33h8M47 42h8M68 50h4M68 57h4"],
    ["mark", "M47 66V54h8v12"],
  ],
  closed: [
    ["line", "M48 12 28 30M48 12l20 18"],
    ["solid", "M20 30h56a3 3 0 0 1 3 3v22a3 3 0 0 1-3 3H20a3 3 0 0 1-3-3V33a3 3 0 0 1 3-3z"],
    ["mark", "M34 44h28"],
    ["dots", "M48 12h.01"],
  ],
  conversation: [
    ["solid", "M20 14h38a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H36l-9 8v-8h-7a4 4 0 0 1-4-4V18a4 4 0 0 1 4-4z"],
    ["solid", "M48 34h28a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4h-4v8l-9-8H48a4 4 0 0 1-4-4V38a4 4 0 0 1 4-4z"],
    ["dots", "M54 46h.01M62 46h.01M70 46h.01"],
  ],
  deposits: [...WALLET, ["mark", "M46 6v19M38 18l8 8 8-8"]],
  devices: [
    ["solid", "M20 18h46a3 3 0 0 1 3 3v33H17V21a3 3 0 0 1 3-3z"],
    ["line", "M11 60h50"],
    ["solid", "M62 32h15a3 3 0 0 1 3 3v28a3 3 0 0 1-3 3H62a3 3 0 0 1-3-3V35a3 3 0 0 1 3-3z"],
    ["mark", "m34 36 6 6 11-12"],
    ["dots", "M69.5 59h.01"],
  ],
  draws: [
    ["solid", "M20 14h36v36H20z"],
    ["dots", "M29 23h.01M47 23h.01M29 41h.01"],
    ["line", "m67 59 12 11"],
    ["solid", "M57 37a14 14 0 1 1 0 28 14 14 0 0 1 0-28z"],
    ["mark", "m51 51 5 5 8-9"],
  ],
  entries: [
    ["solid", "M26 12h42a4 4 0 0 1 4 4v46a4 4 0 0 1-4 4H26z"],
    ["line", "M35 12v54M43 26h10M43 39h10M43 52h10"],
    ["mark", "M60 26h6M63 23v6M60 39h6M60 52h6M63 49v6"],
  ],
  games: [
    ["solid", "m20 30 26-7 7 26-26 7z"],
    ["solid", "M50 38h26v26H50z"],
    ["line", "M28.5 34.5h.01M36.5 39.5h.01M44.5 44.5h.01"],
    ["dots", "M56.5 44.5h.01M69.5 44.5h.01M56.5 57.5h.01M69.5 57.5h.01"],
  ],
  gone: [
    ["solid", "M22 16h52a3 3 0 0 1 3 3v42a3 3 0 0 1-3 3H22a3 3 0 0 1-3-3V19a3 3 0 0 1 3-3z"],
    ["line", "m19 54 17-16 12 11 11-11 18 17M62 29h.01"],
    ["mark", "m24 10 48 60"],
  ],
  invites: [
    ["solid", "M18 24h60v11a7 7 0 0 0 0 14v11H18V49a7 7 0 0 0 0-14z"],
    ["line", "M60 30v3M60 39v3M60 48v3"],
    ["mark", "M30 42h18M39 33v18"],
  ],
  key: [
    ["line", "M46 40h34M70 40v10M60 40v7"],
    ["solid", "M32 25a15 15 0 1 1 0 30 15 15 0 0 1 0-30z"],
    ["dots", "M27 40h.01"],
  ],
  listings: [CARD, ["line", "M48 20a9 9 0 1 1 0 18 9 9 0 0 1 0-18z"], ["mark", "M33 57a15 13 0 0 1 30 0"]],
  messages: [
    ["solid", "M18 34 48 13l30 21v32H18z"],
    ["solid", "M28 20h40v28L48 59 28 48z"],
    ["mark", "M36 29h24M36 37h14"],
    ["line", "m18 37 30 22 30-22"],
  ],
  notices: [
    ["line", "m34 48 5 18h9l-5-16"],
    ["solid", "M26 32h11l29-16v46L37 48H26a4 4 0 0 1-4-4v-8a4 4 0 0 1 4-4z"],
    ["mark", "M74 31c5 4 5 12 0 16"],
  ],
  opened: [CARD, ["line", "M48 20a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM33 57a15 13 0 0 1 30 0"], ...CLOCK],
  passcode: [["line", "M35 36V25a13 13 0 0 1 26 0v11"], LOCK, ["mark", "m39 51 6 6 12-12"]],
  passcodeless: [["line", "M35 36V23a13 13 0 0 1 25-5"], LOCK, ["dots", "M38 51h.01M48 51h.01M58 51h.01"]],
  plans: [
    ["solid", "M20 20h56a4 4 0 0 1 4 4v34a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V24a4 4 0 0 1 4-4z"],
    ["line", "M25 46h20M25 53h12"],
    ["mark", "m64 29 2.6 5.3 5.9.9-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.9z"],
  ],
  proof: [
    ["solid", "m48 10 25 9v18c0 15-10 24-25 30-15-6-25-15-25-30V19z"],
    ["dots", "M38 39h.01M48 39h.01M58 39h.01"],
  ],
  savedListings: [CARD, ["mark", "M40 10v28l8-7 8 7V10"], ["line", "M34 48h28M34 56h18"]],
  savedVideos: [FILM, HOLES, ["mark", "M41 16v32l7-6 7 6V16"]],
  search: [
    ["line", "m57 53 18 16"],
    ["solid", "M42 14a22 22 0 1 1 0 44 22 22 0 0 1 0-44z"],
    ["mark", "m35 29 14 14M49 29 35 43"],
  ],
  videos: [FILM, HOLES, ["mark", "M43 31v18l14-9z"]],
  waiting: [
    ["line", "M30 10h36M30 68h36"],
    ["solid", "M34 10h28v12c0 8-10 12-10 17s10 9 10 17v12H34V56c0-8 10-12 10-17s-10-9-10-17z"],
    ["mark", "M41 60h14M45 54h6"],
  ],
  watched: [FILM, HOLES, ["line", "M43 31v18l14-9z"], ...CLOCK],
  wheel: [
    ["solid", "M48 16a25 25 0 1 1 0 50 25 25 0 0 1 0-50z"],
    ["line", "M48 16v50M23 41h50M30.5 23.5l35 35M65.5 23.5l-35 35"],
    ["mark", "M42 8h12l-6 11z"],
  ],
  winners: [
    ["line", "M34 19h-9v4a10 10 0 0 0 10 10M62 19h9v4a10 10 0 0 1-10 10M48 47v11"],
    ["solid", "M34 12h28v20a14 14 0 0 1-28 0z"],
    ["solid", "M36 58h24v8H36z"],
    ["mark", "m48 19 2.3 4.7 5.2.7-3.8 3.6 1 5.2-4.7-2.5-4.7 2.5 1-5.2-3.8-3.6 5.2-.7z"],
  ],
} as const satisfies Record<string, readonly Layer[]>;

export type DrawingName = keyof typeof DRAWINGS;
