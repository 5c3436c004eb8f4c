import { useText } from "#client/text/use-text.ts";

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;
/** The last seconds are amber. */
const LATE_S = 10;
const HOUR_S = 3_600;
/** Hours need a wider ring, and smaller figures. */
const WIDER = 1.25;

interface Props {
  seconds: number;
  /** Of how many. */
  period: number;
  /** In px where text has its usual size; it grows with the text in its middle. */
  size?: number;
}

const twoDigits = (count: number) => String(count).padStart(2, "0");

/** 04:09; 18:30:24 from an hour on. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / HOUR_S);
  const rest = `${twoDigits(Math.floor((seconds % HOUR_S) / 60))}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

const inRem = (px: number) => `${px / 16}rem`;

/** How long bets are taken: a ring that empties, amber at the end, and the time in its middle. */
export function CountdownRing({ seconds, period, size = 64 }: Props) {
  const text = useText();
  const isLate = seconds > 0 && seconds <= LATE_S;
  const left = Math.min(1, seconds / Math.max(1, period));
  const hasHours = period > HOUR_S;
  return (
    <span role="timer" aria-label={text("round.left", { time: clockText(seconds) })} className="relative grid">
      <svg
        viewBox="0 0 64 64"
        style={{ width: inRem(hasHours ? size * WIDER : size) }}
        aria-hidden
        className="aspect-square -rotate-90"
      >
        <circle cx="32" cy="32" r={RADIUS} fill="none" strokeWidth="5" className="stroke-felt-line" />
        <circle
          cx="32"
          cy="32"
          r={RADIUS}
          fill="none"
          strokeWidth="5"
          // A round end would leave a dot where nothing is left.
          strokeLinecap={left > 0 ? "round" : "butt"}
          strokeDasharray={`${ROUND * left} ${ROUND}`}
          className={isLate ? "stroke-amber-bright" : "stroke-on-felt"}
        />
      </svg>
      <span
        className={`figures absolute inset-0 grid place-items-center font-semibold ${hasHours ? "text-xs" : "text-sm"} ${isLate ? "text-amber-bright" : "text-on-felt"}`}
      >
        {clockText(seconds)}
      </span>
    </span>
  );
}
