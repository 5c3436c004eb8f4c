import { useText } from "#client/text/use-text.ts";
import { useChance } from "#client/screens/lottery/use-chance.ts";
import { TURN_MS } from "#client/machines/wheel-spin.ts";
import type { Sector } from "#client/machines/wheel-sectors.ts";
import type { Prize } from "#shared/contract/wheel.ts";
import { WheelLabels } from "./WheelLabels.tsx";
import { WheelSector } from "./WheelSector.tsx";

interface Props {
  sectors: Sector<Prize>[];
  /** How far it is turned, in degrees clockwise. */
  angle: number;
  isTurning: boolean;
}

const RIM = 145;
const STUDS = 24;

/** The wheel, 300 by 300, each sector as wide as its chance. To readers it is the list of its prizes. */
export function Wheel({ sectors, angle, isTurning }: Props) {
  const text = useText();
  const chance = useChance();
  const said = sectors.map(({ prize }) => `${prize.title}, ${chance(prize.probability)}`).join("; ");
  return (
    <div
      role="img"
      aria-label={`${text("wheel.label")}: ${said}`}
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

/** It stands while the wheel turns below it. */
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
