import { OperatorText } from "#client/components/OperatorText.tsx";
import { Button } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";
import type { VideoCard } from "#shared/contract/video.ts";

interface Props {
  next: VideoCard;
  onNext: () => void;
  onStay: () => void;
}

/** Shown over the end of a video: the next video, which starts soon, and a button to stay. */
export function UpNext({ next, onNext, onStay }: Props) {
  const text = useText();
  return (
    <div
      role="status"
      className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 bg-stage/85 p-4 text-center text-on-stage"
    >
      <p className="text-sm">{text("player.next")}</p>
      <p className="line-clamp-2 text-base font-semibold">
        <OperatorText text={next.vod_name} lang={next.langs?.vod_name} />
      </p>
      <div className="relative h-1 w-40 overflow-hidden rounded-full bg-on-stage/25" aria-hidden>
        <span className="block h-full origin-left animate-fill bg-brand" />
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={onNext}>{text("player.nextNow")}</Button>
        <Button look="quiet" onClick={onStay}>
          {text("player.stay")}
        </Button>
      </div>
    </div>
  );
}
