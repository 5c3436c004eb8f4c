import { BlankDie, Die } from "#client/components/Dice.tsx";

/** The dice that an option is about, as its code names them: "3-3" is a double of three. */
export function DrawnDice({ type, size }: { type: string; size: number }) {
  return type.split("-").map((face, place) => <Die key={place} face={Number(face)} size={size} />);
}

const DISC = <circle cx="50" cy="50" r="22" className="fill-pip" />;
const SQUARE = <rect x="30" y="30" width="40" height="40" rx="4" className="fill-pip" />;
const TRIANGLE = <path d="M50 25 76 71H24Z" className="fill-pip" />;

/** Dice of which only counts whether they are alike. */
export function AlikeDice({ count, size }: { count: number; size: number }) {
  return Array.from({ length: count }, (_, place) => (
    <BlankDie key={place} size={size}>
      {DISC}
    </BlankDie>
  ));
}

/** Three dice of which only counts that no two are alike. */
export function UnlikeDice({ size }: { size: number }) {
  return [DISC, SQUARE, TRIANGLE].map((shape, place) => (
    <BlankDie key={place} size={size}>
      {shape}
    </BlankDie>
  ));
}
