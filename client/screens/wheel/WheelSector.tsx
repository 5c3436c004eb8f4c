import type { Sector } from "#client/machines/wheel-sectors.ts";
import type { Prize } from "#shared/contract/wheel.ts";

const RADIUS = 141;

const pointAt = (degrees: number): string => {
  const turn = ((degrees - 90) * Math.PI) / 180;
  return `${(RADIUS * Math.cos(turn)).toFixed(2)} ${(RADIUS * Math.sin(turn)).toFixed(2)}`;
};

/** One prize's part of the wheel, in one of the two oranges. */
export function WheelSector({ sector: { place, from, to } }: { sector: Sector<Prize> }) {
  const wide = to - from;
  const tone = place % 2 === 0 ? "fill-wheel" : "fill-wheel-light";
  if (wide > 359.99) return <circle r={RADIUS} className={tone} />;
  return (
    <path
      d={`M0 0 L${pointAt(from)} A${RADIUS} ${RADIUS} 0 ${wide > 180 ? 1 : 0} 1 ${pointAt(to)} Z`}
      className={`stroke-card ${tone}`}
      strokeWidth={wide < 4 ? 0.5 : 1.5}
    />
  );
}
