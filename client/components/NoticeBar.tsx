import { OperatorText } from "./OperatorText.tsx";
import { useScrollStop } from "#client/hooks/use-scroll-stop.ts";
import { Megaphone } from "lucide-react";

/** The operator's news in up to three lines; longer text scrolls. Nothing moves by itself. */
export function NoticeBar({ text, lang, label }: { text: string; lang?: string | undefined; label: string }) {
  const stop = useScrollStop<HTMLElement>();
  return (
    <div className="flex items-center gap-2 rounded-md bg-brand-soft px-3 text-sm text-ink">
      <Megaphone size={16} aria-hidden className="shrink-0 text-brand-text" />
      <section {...stop} aria-label={label} className="my-2.5 max-h-[3lh] overflow-y-auto">
        <OperatorText text={text} lang={lang} />
      </section>
    </div>
  );
}
