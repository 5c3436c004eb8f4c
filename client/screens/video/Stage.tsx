import { useMemo, type PointerEvent } from "react";
import { useControlsShown } from "./use-controls-shown.ts";
import { useDoubleTap, type Skip } from "./use-double-tap.ts";
import type { Video } from "./use-video.ts";
import { CentreControls, Waiting } from "./CentreControls.tsx";
import { ControlBar } from "./ControlBar.tsx";
import type { Playing } from "./use-player.ts";
import { ChevronsLeft, ChevronsRight } from "lucide-react";
import { useLanguage } from "#client/text/use-text.ts";
import { formatSpan } from "#shared/format.ts";

/** Below the screen's bar, and never higher than what is left of the window: a phone on its side shows every control. */
const STAGE = "aspect-video max-h-[max(12rem,calc(100dvh-(--spacing(13))))] w-full";

/** The picture and its overlays. A touch shows the controls, a click plays or pauses, a double tap skips. */
export function Stage({ video, playing }: { video: Video; playing: Playing }) {
  const { refs, area, element, media } = playing;
  const { isShown, toggle } = useControlsShown(area, media.isPaused);
  // Each new signature changes the poster's URL; the poster on the screen stays.
  const poster = useMemo(() => video.vod_pic, [video.id]);
  const skipBy = (seconds: number) => {
    if (element) media.seek(Math.max(0, Math.min(element.duration || 0, element.currentTime + seconds)));
  };
  const { skip, tap } = useDoubleTap(skipBy);
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (event.pointerType !== "touch") media.togglePlay();
    else if (!tap(event)) toggle();
  };
  return (
    // Time runs from left to right in every language.
    <div dir="ltr" className={`relative ${media.isFull ? "h-dvh" : STAGE}`}>
      <video
        ref={refs.videoRef}
        playsInline
        preload="auto"
        poster={poster}
        onPointerUp={press}
        className="size-full touch-manipulation object-contain"
      >
        {video.captions.map(({ lang, url }) => (
          <track key={url} kind="captions" srcLang={lang} label={lang} src={url} />
        ))}
      </video>
      <Waiting />
      <SkipMark skip={skip} />
      <div
        className={`transition-[opacity,visibility] duration-200 ${isShown ? "" : "invisible opacity-0 has-focus-visible:visible has-focus-visible:opacity-100"}`}
      >
        <CentreControls onSkip={skipBy} />
        <ControlBar video={video} {...playing.choices} captions={video.captions} />
      </div>
    </div>
  );
}

/** The seconds a double tap skipped, on the tapped side. */
function SkipMark({ skip }: { skip: Skip | null }) {
  const language = useLanguage();
  if (!skip) return null;
  const isBack = skip.way < 0;
  const Way = isBack ? ChevronsLeft : ChevronsRight;
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-y-0 grid w-1/3 place-content-center justify-items-center bg-scrim text-sm text-on-stage ${isBack ? "start-0" : "end-0"}`}
    >
      <Way size={28} />
      {formatSpan(skip.seconds, "second", language, "short")}
    </div>
  );
}
