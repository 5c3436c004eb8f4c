import { BlankDie, Die } from "#client/components/Dice.tsx";

/** The dice in an option's code: "3-3" is a double of three. */
export function DrawnDice({ type, size }: { type: string; size: number }) {
  return type.split("-").map((face, place) => <Die key={place} face={Number(face)} size={size} />);
}

const DISC = <circle cx="50" cy="50" r="22" className="fill-pip" />;
const SQUARE = <rect x="30" y="30" width="40" height="40" rx="4" className="fill-pip" />;
const TRIANGLE = <path d="M50 25 76 71H24Z" className="fill-pip" />;

/** Blank dice that all match, for bets on any double or triple. */
export function AlikeDice({ count, size }: { count: number; size: number }) {
  return Array.from({ length: count }, (_, place) => (
    <BlankDie key={place} size={size}>
      {DISC}
    </BlankDie>
  ));
}

/** Three blank dice that all differ. */
export function UnlikeDice({ size }: { size: number }) {
  return [DISC, SQUARE, TRIANGLE].map((shape, place) => (
    <BlankDie key={place} size={size}>
      {shape}
    </BlankDie>
  ));
}
