import type { ReactNode } from "react";

interface Look {
  ground: string;
  shape: string;
  mark: string;
}

const LOOKS: readonly Look[] = [
  { ground: "fill-brand-soft", shape: "fill-brand", mark: "fill-card" },
  { ground: "fill-jade-soft", shape: "fill-jade", mark: "fill-card" },
  { ground: "fill-felt", shape: "fill-amber-bright", mark: "fill-on-felt" },
  { ground: "fill-edge", shape: "fill-card", mark: "fill-brand" },
];

const MOTIFS: readonly ((look: Look) => ReactNode)[] = [petals, hills, rings, fan, die];
const ALL = LOOKS.length * MOTIFS.length;
const TURN_PER_ROUND = 17;

/** One of the club's own avatars, fixed by its number. The first twenty all differ. */
export function StockAvatar({ number, size }: { number: number; size: number }) {
  const place = number - 1;
  const look = LOOKS[Math.floor(place / MOTIFS.length) % LOOKS.length]!;
  const draw = MOTIFS[place % MOTIFS.length]!;
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden className="shrink-0 overflow-hidden rounded-full">
      <rect width="64" height="64" className={look.ground} />
      <g transform={`rotate(${Math.floor(place / ALL) * TURN_PER_ROUND} 32 32)`}>{draw(look)}</g>
    </svg>
  );
}

const PETALS = [0, 60, 120, 180, 240, 300];

function petals({ shape, mark }: Look): ReactNode {
  return (
    <>
      {PETALS.map((turn) => (
        <ellipse key={turn} cx="32" cy="18" rx="7" ry="12" transform={`rotate(${turn} 32 32)`} className={shape} />
      ))}
      <circle cx="32" cy="32" r="7" className={mark} />
    </>
  );
}

function hills({ shape, mark }: Look): ReactNode {
  return (
    <>
      <circle cx="44" cy="20" r="9" className={mark} />
      <path d="M-2 50 Q16 26 34 46 T66 40 V66 H-2 Z" className={shape} />
      <path d="M-2 60 Q22 46 40 58 T66 54 V66 H-2 Z" className={`${mark} opacity-70`} />
    </>
  );
}

function rings({ shape, mark }: Look): ReactNode {
  return (
    <>
      <circle cx="32" cy="32" r="24" className={shape} />
      <circle cx="37" cy="29" r="17" className={mark} />
      <circle cx="40" cy="27" r="10" className={shape} />
    </>
  );
}

function fan({ shape, mark }: Look): ReactNode {
  return (
    <>
      <path d="M32 54 L10 22 A39 39 0 0 1 25 15 Z" className={shape} />
      <path d="M32 54 L25 14 A40 40 0 0 1 39 14 Z" className={mark} />
      <path d="M32 54 L39 15 A39 39 0 0 1 54 22 Z" className={shape} />
    </>
  );
}

const PIPS = [
  [24, 24],
  [40, 24],
  [32, 32],
  [24, 40],
  [40, 40],
] as const;

function die({ shape, mark }: Look): ReactNode {
  return (
    <g transform="rotate(14 32 32)">
      <rect x="14" y="14" width="36" height="36" rx="8" className={shape} />
      {PIPS.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="4" className={mark} />
      ))}
    </g>
  );
}
