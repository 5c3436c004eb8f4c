import { chapterAt } from "./use-media.ts";
import type { Video } from "./use-video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { lengthText } from "./length.ts";

interface Props {
  video: Video;
  /** The position on the seek bar, from 0 to 1. */
  part: number;
  seconds: number;
}

/** Half the frame's maximum width, in pixels; keeps the frame on the screen. */
const EDGE = 84;

/** The video's frame at a position, for active members only, with its time and chapter: shown above the seek bar. */
export function PreviewFrame({ video: { strip, chapters }, part, seconds }: Props) {
  const at = strip && Math.min(strip.count - 1, Math.floor((seconds * SECOND_MS) / strip.every_ms));
  return (
    <div
      aria-hidden
      style={{ left: `clamp(${EDGE}px, ${part * 100}%, calc(100% - ${EDGE}px))` }}
      className="pointer-events-none absolute bottom-full -translate-x-1/2 overflow-hidden rounded-sm bg-stage/90 text-on-stage"
    >
      {strip && at !== null && (
        <span
          style={{
            width: strip.width,
            height: strip.height,
            backgroundImage: `url("${strip.url}")`,
            backgroundPosition: `${-(at % strip.columns) * strip.width}px ${-Math.floor(at / strip.columns) * strip.height}px`,
          }}
          className="block"
        />
      )}
      <span className="figures block max-w-40 px-2 text-center text-xs">
        <bdi className="block">{chapterAt(chapters, seconds)?.title}</bdi>
        {lengthText(seconds)}
      </span>
    </div>
  );
}
