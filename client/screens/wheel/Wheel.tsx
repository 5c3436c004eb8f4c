import { useList } from "#client/text/use-list.ts";
import { useText } from "#client/text/use-text.ts";
import { useChance } from "#client/screens/lottery/use-chance.ts";
import { TURN_MS } from "#client/machines/wheel-spin.ts";
import type { Sector } from "#client/machines/wheel-sectors.ts";
import type { Prize } from "#shared/contract/wheel.ts";
import { WheelLabels } from "./WheelLabels.tsx";

interface Props {
  sectors: Sector<Prize>[];
  /** Rotation in degrees clockwise. */
  angle: number;
  isTurning: boolean;
}

const RIM = 145;
const STUDS = 24;

/** The wheel, 300 by 300 px, each sector as wide as its chance, the same in every language. Its label lists the prizes for screen readers. */
export function Wheel({ sectors, angle, isTurning }: Props) {
  const text = useText();
  const chance = useChance();
  const list = useList();
  const prizes = sectors.map(({ prize }) => `${prize.title} (${chance(prize.probability)})`);
  return (
    <div
      role="img"
      dir="ltr"
      aria-label={text("figure.named", { name: text("wheel.label"), value: list(prizes) })}
      className="relative size-75 rounded-full shadow-card"
    >
      <div
        data-angle={angle}
        className="absolute inset-0 rounded-full ease-wheel"
        style={{
          transform: `rotate(${angle}deg)`,
          transitionProperty: "transform",
          transitionDuration: isTurning ? `${TURN_MS}ms` : "0ms",
        }}
      >
        <svg viewBox="-150 -150 300 300" className="size-75">
          {sectors.map((sector) => (
            <WheelSector key={sector.prize.id} sector={sector} />
          ))}
          <Rim />
        </svg>
        <WheelLabels sectors={sectors} />
      </div>
      <Pointer />
    </div>
  );
}

function Rim() {
  return (
    <g fill="none">
      <circle r={RIM} strokeWidth="10" className="stroke-wheel-rim" />
      <circle
        r={RIM}
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray={`0 ${(2 * Math.PI * RIM) / STUDS}`}
        className="stroke-wheel-light"
      />
    </g>
  );
}

/** The fixed pointer; the wheel turns below it. */
function Pointer() {
  return (
    <svg viewBox="-150 -150 300 300" className="absolute inset-0 size-75">
      <circle r="41" className="fill-wheel-rim" />
      <path
        d="M-12 -149 Q0 -154 12 -149 L3 -134 Q0 -130 -3 -134 Z"
        className="fill-ink stroke-card"
        strokeWidth="2"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const RADIUS = 141;

const pointAt = (degrees: number): string => {
  const turn = ((degrees - 90) * Math.PI) / 180;
  return `${(RADIUS * Math.cos(turn)).toFixed(2)} ${(RADIUS * Math.sin(turn)).toFixed(2)}`;
};

/** One prize's sector, in one of two alternating oranges. */
function WheelSector({ sector: { place, from, to } }: { sector: Sector<Prize> }) {
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
