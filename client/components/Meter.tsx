interface Props {
  label: string;
  /** From 0 to 1. */
  share: number;
  /** What screen readers say in place of the share. */
  words: string;
  /** Its height and place. */
  className?: string;
}

/** How much of a limit is used: amber once nothing is left. */
export function Meter({ label, share, words, className = "h-2" }: Props) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={words}
      className={`overflow-hidden rounded-full bg-sunken ${className}`}
    >
      <div
        className={`h-full w-full origin-left rounded-full rtl:origin-right ${share < 1 ? "bg-jade" : "bg-amber"}`}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
