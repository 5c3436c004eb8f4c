import { OperatorText } from "#client/components/OperatorText.tsx";
import { AudioLines, Lock } from "lucide-react";
import { useId } from "react";
import { useText } from "#client/text/use-text.ts";
import { useMedia, useMediaChapter, type Chapter } from "./use-media.ts";
import { freeLength, type Video } from "./use-video.ts";
import { lengthText } from "./length.ts";

/**
 * The video's chapters; a tap plays from there. One that begins beyond a preview is marked, and leads to the offer as
 * the seek bar does.
 */
export function Chapters({ video }: { video: Video }) {
  const text = useText();
  const title = useId();
  const now = useMediaChapter(video.chapters);
  if (video.chapters.length === 0) return null;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-1">
      <h2 id={title} className="text-base font-semibold">
        {text("player.chapters")}
      </h2>
      <ol className="-mx-2 max-h-[80dvh] overflow-y-auto">
        {video.chapters.map((chapter) => (
          <li key={chapter.start}>
            <ChapterButton chapter={chapter} isNow={chapter === now} isLocked={chapter.start >= freeLength(video)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function ChapterButton({ chapter, isNow, isLocked }: { chapter: Chapter; isNow: boolean; isLocked: boolean }) {
  const text = useText();
  const { seek } = useMedia();
  return (
    <button
      type="button"
      aria-current={isNow}
      onClick={() => seek(chapter.start)}
      className="flex min-h-11 w-full items-center gap-3 rounded-md px-2 py-1 text-start text-sm -outline-offset-2 hover:bg-brand-soft aria-[current=true]:bg-brand-soft aria-[current=true]:font-semibold"
    >
      <bdi dir="ltr" className="figures min-w-10 shrink-0 text-muted">
        {lengthText(chapter.start)}
      </bdi>
      <span className="flex min-w-0 grow flex-wrap justify-between gap-x-3 wrap-anywhere">
        <span>
          <OperatorText text={chapter.title} lang={chapter.langs?.title} />
        </span>
        {isLocked && (
          <span className="flex items-center gap-1 text-xs text-muted">
            <Lock size={14} aria-hidden className="shrink-0" />
            {text("listing.afterActivation")}
          </span>
        )}
      </span>
      {isNow && <AudioLines size={18} aria-hidden className="shrink-0 text-brand-text" />}
    </button>
  );
}
