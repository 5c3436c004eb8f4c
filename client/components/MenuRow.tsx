import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  label: string;
  icon?: ReactNode;
  /** The content at the end of the row. */
  value?: ReactNode;
  to?: string;
  onPress?: () => void;
}

/** The focus shows inside: the group would cut it off. */
const ROW = "flex min-h-13 w-full items-center gap-3 px-4 py-2 text-start text-base focus-visible:-outline-offset-3";

/** One menu row: a link, a button, or a plain value. */
export function MenuRow({ label, icon, value, to, onPress }: Props) {
  const inside = (
    <>
      {icon && <span className="shrink-0 text-brand-text">{icon}</span>}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className="min-w-0 wrap-anywhere">{label}</span>
        {value !== undefined && <span className="ms-auto text-end text-sm text-muted">{value}</span>}
      </span>
      {(to || onPress) && <ChevronRight size={18} aria-hidden className="shrink-0 text-muted" />}
    </>
  );
  if (to)
    return (
      <Link to={to} className={ROW}>
        {inside}
      </Link>
    );
  if (onPress)
    return (
      <button type="button" onClick={onPress} className={ROW}>
        {inside}
      </button>
    );
  return <div className={ROW}>{inside}</div>;
}

/** A titled group of menu rows. */
export function Menu({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="mb-4">
      {title && <h2 className="mb-2 px-1 text-sm font-semibold text-muted">{title}</h2>}
      <div className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card">{children}</div>
    </section>
  );
}
