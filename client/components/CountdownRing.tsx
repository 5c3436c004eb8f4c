import { useText } from "#client/text/use-text.ts";

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;
/** The number of last seconds shown in amber. */
const LATE_S = 10;
const HOUR_S = 3_600;
/** The ring grows by this factor if it has to show hours, in smaller figures. */
const WIDER = 1.25;

interface Props {
  seconds: number;
  /** The length of the full countdown, in seconds. */
  period: number;
  /** The diameter in px at the default text size; it scales with the text inside. */
  size?: number;
}

const twoDigits = (count: number) => String(count).padStart(2, "0");

/** Formats seconds as 04:09, or as 18:30:24 from one hour. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / HOUR_S);
  const rest = `${twoDigits(Math.floor((seconds % HOUR_S) / 60))}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

const inRem = (px: number) => `${px / 16}rem`;

/** The time left to bet: a ring that empties and turns amber at the end, with the time inside. */
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
          // A round line cap would leave a dot at zero.
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
