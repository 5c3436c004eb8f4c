import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  to: string;
  Icon: LucideIcon;
  name: ReactNode;
  /** What a tap does, or leads to. */
  step: ReactNode;
}

export function Tile({ to, Icon, name, step }: Props) {
  return (
    <Link
      to={to}
      className="flex h-full min-h-21 items-center gap-3 rounded-lg border border-line bg-card p-3 shadow-card hover:border-edge"
    >
      <Icon size={22} aria-hidden className="shrink-0 text-brand-text" />
      <span className="flex min-w-0 flex-col">
        <span className="text-base/tight font-semibold break-words">{name}</span>
        <span className="text-sm font-medium text-brand-text">{step}</span>
      </span>
    </Link>
  );
}
