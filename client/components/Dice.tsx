import type { ReactNode } from "react";
import { useList } from "#client/text/use-list.ts";
import { useText } from "#client/text/use-text.ts";

/** The positions of each face's pips, on a 100 by 100 grid. */
const PIPS: readonly (readonly [number, number])[][] = [
  [[50, 50]],
  [
    [28, 28],
    [72, 72],
  ],
  [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  [
    [27, 27],
    [73, 27],
    [50, 50],
    [27, 73],
    [73, 73],
  ],
  [
    [30, 24],
    [70, 24],
    [30, 50],
    [70, 50],
    [30, 76],
    [70, 76],
  ],
];

/** One and four have red pips, as on Asian dice. */
const isRed = (face: number) => face === 1 || face === 4;

interface Look {
  size: number;
  className?: string;
  /** How much later than the others its animation begins. */
  delayMs?: number;
}

/** One die, hidden from screen readers. */
export function Die({ face, ...look }: { face: number } & Look) {
  return (
    <BlankDie {...look}>
      {PIPS[face - 1]?.map(([x, y]) => (
        <circle
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          r={face === 1 ? 15 : 10}
          className={isRed(face) ? "fill-pip-red" : "fill-pip"}
        />
      ))}
    </BlankDie>
  );
}

/** A die without pips; its children are drawn on a 100 by 100 grid. */
export function BlankDie({ size, className = "", delayMs = 0, children }: Look & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 100 100"
      width={size}
      height={size}
      aria-hidden
      className={`shrink-0 ${className}`}
      style={{ animationDelay: `${delayMs}ms` }}
    >
      <rect x="3" y="3" width="94" height="94" rx="20" className="fill-die stroke-line" strokeWidth="3" />
      {children}
    </svg>
  );
}

interface Props {
  dice: readonly number[];
  size?: number;
  /** Throws the dice, one just after the other, for under a second; a new key throws them again. */
  isRolling?: boolean;
}

/** Between the first and the last die of a throw; each flies for as long as `--animate-roll` says. */
const SPREAD_MS = 270;

/** The dice of a result; screen readers read the faces and the sum. */
export function Dice({ dice, size = 32, isRolling = false }: Props) {
  const text = useText();
  const list = useList();
  const sum = dice.reduce((total, face) => total + face, 0);
  return (
    <span
      role="img"
      // The first die stands first in every language, as in the proof.
      dir="ltr"
      aria-label={text("dice.label", { dice: list(dice), sum })}
      className="inline-flex flex-wrap gap-1.5"
    >
      {dice.map((face, place) => (
        <Die
          key={place}
          face={face}
          size={size}
          className={isRolling ? "animate-roll" : ""}
          delayMs={(place * SPREAD_MS) / dice.length}
        />
      ))}
    </span>
  );
}

const TUMBLING = [2, 5, 3, 6, 1, 4];

/** Dice whose result is not known yet. */
export function TumblingDice({ count, size = 32 }: { count: number; size?: number }) {
  const text = useText();
  return (
    <span role="img" dir="ltr" aria-label={text("dice.waiting")} className="inline-flex flex-wrap gap-1.5">
      {Array.from({ length: count }, (_, place) => (
        <Die key={place} face={TUMBLING[place % 6]!} size={size} className="animate-tumble opacity-70" />
      ))}
    </span>
  );
}
