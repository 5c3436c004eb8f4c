import { useState, type PointerEvent } from "react";
import { chapterAt, useMedia, useMediaTime } from "./use-media.ts";
import { useText } from "#client/text/use-text.ts";
import { freeLength, type Video } from "./use-video.ts";
import { lengthText } from "./length.ts";
import { PreviewFrame } from "./PreviewFrame.tsx";

const percent = (part: number, whole: number) => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

/** The length of the whole video while only its beginning may be watched; null otherwise. */
export const wholeOfPreview = (video: Video): number | null =>
  freeLength(video) < video.duration ? video.duration : null;

/** The seek bar: dragged, tapped or moved by arrow keys, with a preview frame. */
export function TimeLine({ video }: { video: Video }) {
  const text = useText();
  const { seek } = useMedia();
  const wholeS = wholeOfPreview(video);
  const { positionS, durationS } = useMediaTime(wholeS);
  const time = text("player.timeOf", { now: lengthText(positionS), whole: lengthText(durationS) });
  const chapter = chapterAt(video.chapters, positionS);
  const [lookedAt, lookAt] = useState<number | null>(null);
  const look = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    lookAt(Math.max(0, Math.min(1, (clientX - left) / width)));
  };
  return (
    <div
      className="relative h-6 rounded-sm outline-on-stage has-focus-visible:outline-3"
      onPointerMove={look}
      onPointerLeave={() => lookAt(null)}
      onPointerUp={() => lookAt(null)}
    >
      {lookedAt !== null && durationS > 0 && (
        <PreviewFrame video={video} part={lookedAt} seconds={lookedAt * durationS} />
      )}
      <Bar video={video} wholeS={wholeS} />
      <input
        type="range"
        min={0}
        max={Math.ceil(durationS) || 1}
        step={1}
        // Whole seconds, because the browser rounds to the step and would report each rounding as a change.
        value={Math.round(positionS)}
        onChange={({ target }) => seek(Number(target.value))}
        aria-label={text("player.seek")}
        aria-valuetext={chapter ? `${time} · ${chapter.title}` : time}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      />
    </div>
  );
}

/** The played and the buffered part of the seek bar, where chapters begin, and where a preview ends. */
function Bar({ video, wholeS }: { video: Video; wholeS: number | null }) {
  const { positionS, durationS, fetchedS } = useMediaTime(wholeS);
  return (
    <span aria-hidden>
      <span className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 overflow-hidden rounded-full bg-on-stage/30">
        <span style={{ width: percent(fetchedS, durationS) }} className="absolute inset-y-0 start-0 bg-on-stage/40" />
        <span style={{ width: percent(positionS, durationS) }} className="absolute inset-y-0 start-0 bg-brand" />
        {video.chapters.slice(1).map(({ start }) => (
          <span
            key={start}
            data-chapter={start}
            style={{ left: percent(start, durationS) }}
            className="absolute inset-y-0 w-1 -translate-x-1/2 bg-stage"
          />
        ))}
      </span>
      {wholeS !== null && (
        <span
          style={{ left: percent(freeLength(video), wholeS) }}
          className="absolute top-1/2 h-3 w-0.5 -translate-1/2 bg-on-stage"
        />
      )}
      <span
        style={{ left: percent(positionS, durationS) }}
        className="absolute top-1/2 size-3.5 -translate-1/2 rounded-full bg-brand"
      />
    </span>
  );
}
