import { OperatorText } from "./OperatorText.tsx";
import { Megaphone } from "lucide-react";

/** The operator's news in up to three lines; longer text scrolls. Nothing moves by itself. */
export function NoticeBar({ text, lang, label }: { text: string; lang?: string | undefined; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md bg-brand-soft px-3 text-sm text-ink">
      <Megaphone size={16} aria-hidden className="shrink-0 text-brand-text" />
      {/* Scrollable text must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="my-2.5 max-h-[3lh] overflow-y-auto">
        <OperatorText text={text} lang={lang} />
      </section>
    </div>
  );
}
