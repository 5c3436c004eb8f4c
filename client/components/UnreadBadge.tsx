import { useText } from "#client/text/use-text.ts";

/** The count stops here; more shows as "20+". */
export const MOST_UNREAD = 20;

/** The number of unread messages; hidden when there are none. */
export function UnreadBadge({
  count,
  className = "bg-brand-soft text-brand-text",
}: {
  count: number;
  className?: string;
}) {
  const text = useText();
  if (count === 0) return null;
  return (
    <span
      className={`figures inline-block min-w-6 rounded-full px-2 py-0.5 text-center text-xs font-semibold ${className}`}
    >
      <span aria-hidden>{count < MOST_UNREAD ? count : `${MOST_UNREAD}+`}</span>
      <span className="sr-only">{text("mine.unread", { count })}</span>
    </span>
  );
}
