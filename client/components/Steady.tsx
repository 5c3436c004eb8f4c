import type { ReactNode } from "react";

/** A round's number is never broken at its hyphen. */
const kept = (text: string) => text.replaceAll(/(?<=\d{8})-(?=\d{4})/g, "\u2060-\u2060");

interface Props {
  /** All that may stand here. */
  texts: readonly string[];
  className?: string;
  /** The one that stands here now, or none. */
  children?: ReactNode;
}

/** A place as large as the largest of some texts, so that nothing around moves when another of them stands there. */
export function Steady({ texts, className = "", children }: Props) {
  return (
    <span className={`grid ${className}`}>
      {texts.map((text) => (
        // Not in the page's text: nothing finds or reads it.
        <span
          key={text}
          aria-hidden
          data-text={kept(text)}
          className="invisible [grid-area:1/1] before:content-[attr(data-text)]"
        />
      ))}
      <span className="[grid-area:1/1]">{children}</span>
    </span>
  );
}
