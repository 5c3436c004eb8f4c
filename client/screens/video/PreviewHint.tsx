import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

/** Tells who is no active member how much of each video is free, and where to get the rest. */
export function PreviewHint() {
  const text = useText();
  const { data: user } = useUser();
  const { data: site } = useSite();
  if (!site || user?.is_see !== 0) return null;
  return (
    <Link
      to="/Plans"
      className="flex min-h-11 items-center gap-2 rounded-md bg-brand-soft px-3 py-2 text-sm hover:brightness-95"
    >
      <span className="min-w-0 flex-1">
        {text("hall.preview", { count: site.free_see_time })}{" "}
        <span className="font-semibold text-brand-text">{text("hall.plans")}</span>
      </span>
      <ChevronRight size={18} aria-hidden className="shrink-0 text-brand-text" />
    </Link>
  );
}
