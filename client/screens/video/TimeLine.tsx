import { useState, type PointerEvent } from "react";
import { useMedia, useMediaTime } from "./use-media.ts";
import { useText } from "#client/text/use-text.ts";
import type { Video } from "./use-video.ts";
import { lengthText } from "./length.ts";
import { PreviewFrame } from "./PreviewFrame.tsx";

const percent = (part: number, whole: number) => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

/** The seek bar: dragged, tapped or moved by arrow keys, with a preview frame. */
export function TimeLine({ strip }: { strip: Video["strip"] }) {
  const text = useText();
  const { seek } = useMedia();
  const { positionS, durationS } = useMediaTime();
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
        <PreviewFrame strip={strip} part={lookedAt} seconds={lookedAt * durationS} />
      )}
      <Bar />
      <input
        type="range"
        min={0}
        max={Math.ceil(durationS) || 1}
        step={1}
        // Whole seconds, because the browser rounds to the step and would report each rounding as a change.
        value={Math.round(positionS)}
        onChange={({ target }) => seek(Number(target.value))}
        aria-label={text("player.seek")}
        aria-valuetext={text("player.timeOf", { now: lengthText(positionS), whole: lengthText(durationS) })}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      />
    </div>
  );
}

/** The played and the buffered part of the seek bar. */
function Bar() {
  const { positionS, durationS, fetchedS } = useMediaTime();
  return (
    <span aria-hidden>
      <span className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 overflow-hidden rounded-full bg-on-stage/30">
        <span style={{ width: percent(fetchedS, durationS) }} className="absolute inset-y-0 start-0 bg-on-stage/40" />
        <span style={{ width: percent(positionS, durationS) }} className="absolute inset-y-0 start-0 bg-brand" />
      </span>
      <span
        style={{ left: percent(positionS, durationS) }}
        className="absolute top-1/2 size-3.5 -translate-1/2 rounded-full bg-brand"
      />
    </span>
  );
}
