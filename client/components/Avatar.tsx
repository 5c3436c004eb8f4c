import { useState } from "react";
import { StockAvatar } from "./StockAvatar.tsx";

interface Props {
  username: string;
  /** The server's value: a picture's URL, or a stock avatar, `avatar/N`. */
  image: string;
  size?: number;
}

/** Background and pattern colours with enough contrast for the letters. */
const LOOKS = [
  { ground: "fill-brand-soft", shape: "fill-card", letters: "fill-brand-text" },
  { ground: "fill-jade-soft", shape: "fill-card", letters: "fill-jade" },
  { ground: "fill-sunken", shape: "fill-brand-soft", letters: "fill-ink" },
  { ground: "fill-brand-soft", shape: "fill-jade-soft", letters: "fill-ink" },
] as const;

const isPicture = (image: string) => /^(\/|https?:)/.test(image);

/** A member's picture; without one, their initials on a fixed pattern. The text beside it names the member. */
export function Avatar({ username, image, size = 64 }: Props) {
  const [broken, setBroken] = useState("");
  const [, stock] = /^avatar\/(\d+)$/.exec(image) ?? [];
  if (stock !== undefined) return <StockAvatar number={Number(stock)} size={size} />;
  if (!isPicture(image) || broken === image) return <Drawn seed={`${username} ${image}`} name={username} size={size} />;
  return (
    <img
      src={image}
      alt=""
      width={size}
      height={size}
      onError={() => setBroken(image)}
      className="shrink-0 rounded-full bg-sunken object-cover"
    />
  );
}

function Drawn({ seed, name, size }: { seed: string; name: string; size: number }) {
  const number = numberOf(seed);
  const { ground, shape, letters } = LOOKS[number % LOOKS.length]!;
  const turn = number % 360;
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden className="shrink-0 overflow-hidden rounded-full">
      <rect width="64" height="64" className={ground} />
      <g transform={`rotate(${turn} 32 32)`} className={`${shape} opacity-70`}>
        <circle cx="50" cy="14" r="20" />
        <circle cx="8" cy="52" r="11" />
      </g>
      <text x="32" y="33" textAnchor="middle" dominantBaseline="central" className={`text-lg font-bold ${letters}`}>
        {initialsOf(name)}
      </text>
    </svg>
  );
}

/** Two initials: of the first two words between underscores, otherwise the first two letters. */
function initialsOf(name: string): string {
  const [first = "", second] = name.split("_").filter(Boolean);
  return (second ? `${first[0]}${second[0]}` : first.slice(0, 2)).toUpperCase();
}

/** A hash of the text. */
const numberOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 65_521, 7);
