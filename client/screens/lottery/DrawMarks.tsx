import { useText } from "#client/text/use-text.ts";
import type { DrawMark } from "./draw-words.ts";

const TONES = { warm: "text-brand-text", cool: "text-jade", plain: "text-muted" } as const;

/** The labels of a draw, each in its colour. */
export function DrawMarks({ marks }: { marks: readonly DrawMark[] }) {
  const text = useText();
  return marks.map(({ key, values, tone }) => (
    <span key={key} className={TONES[tone]}>
      {text(key, values)}
    </span>
  ));
}
