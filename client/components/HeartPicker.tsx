import { Heart } from "lucide-react";
import { useText } from "#client/text/use-text.ts";

const HEARTS = [1, 2, 3, 4, 5, 6] as const;

interface Props {
  /** The chosen number; 0 before the first choice. */
  value: number;
  onPick: (hearts: number) => void;
}

/** A rating of one to six hearts, chosen by tap or arrow key. */
export function HeartPicker({ value, onPick }: Props) {
  const text = useText();
  return (
    <fieldset className="flex">
      <legend className="mb-1 text-sm text-muted">{text("comment.hearts")}</legend>
      {HEARTS.map((hearts) => (
        <label key={hearts} className="grid size-11 cursor-pointer place-items-center has-focus-visible:outline-3">
          <input
            type="radio"
            name="hearts"
            checked={value === hearts}
            onChange={() => onPick(hearts)}
            aria-label={text("listing.hearts", { hearts: String(hearts) })}
            className="sr-only"
          />
          <Heart size={26} aria-hidden className={hearts <= value ? "fill-brand text-brand" : "text-edge"} />
        </label>
      ))}
    </fieldset>
  );
}
