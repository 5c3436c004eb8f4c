import type { LucideIcon } from "lucide-react";

const LOOKS = {
  bar: "size-11 rounded-md",
  middle: "size-14 rounded-full bg-stage/60",
  neighbour: "size-11 rounded-full bg-stage/60",
} as const;

interface Props {
  Icon: LucideIcon;
  label: string;
  onClick: () => void;
  /** `middle` and `neighbour` are for the middle of the picture: the play button and its neighbours. */
  place?: keyof typeof LOOKS;
}

/** One button of the player. */
export function ControlButton({ Icon, label, onClick, place = "bar" }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={`grid shrink-0 place-items-center text-on-stage outline-on-stage hover:bg-on-stage/15 ${LOOKS[place]}`}
    >
      <Icon size={place === "middle" ? 28 : 22} aria-hidden />
    </button>
  );
}
