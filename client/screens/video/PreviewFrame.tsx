import type { Video } from "./use-video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { lengthText } from "./length.ts";

interface Props {
  /** Frames of the whole video, for whoever may see all of it. */
  strip: Video["strip"];
  /** Where on the line, from 0 to 1. */
  part: number;
  seconds: number;
}

/** Half of what it is wide at most, so that it stays on the screen. */
const EDGE = 84;

/** What is seen at a moment of the video, over its place on the line. */
export function PreviewFrame({ strip, part, seconds }: Props) {
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
      <span className="figures block px-2 text-center text-xs">{lengthText(seconds)}</span>
    </div>
  );
}
