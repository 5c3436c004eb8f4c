import { useText } from "#client/text/use-text.ts";
import { PreviewOffer } from "./PreviewOffer.tsx";
import { Stage } from "./Stage.tsx";
import { UpNext } from "./UpNext.tsx";
import { usePlayer, type Shown } from "./use-player.ts";
import { Button } from "#client/components/Button.tsx";

/** A video player that starts at once, ends at the preview limit and offers the next video; within a MediaProvider. */
export function Player(shown: Shown) {
  const text = useText();
  const { video, next } = shown;
  const playing = usePlayer(shown);
  const { actor, state, playback, isLost, refs } = playing;
  return (
    <section
      aria-label={text("player.name")}
      ref={refs.areaRef}
      className="relative -mx-4 -mt-4 overflow-hidden bg-stage xl:mx-0 xl:mt-0 xl:rounded-lg"
    >
      <Stage video={video} playing={playing} />
      {isLost && <Stalled onRetry={() => playback?.retry()} />}
      {state === "ended" && next && (
        <UpNext next={next} onNext={() => actor.send({ type: "next" })} onStay={() => actor.send({ type: "stay" })} />
      )}
      <PreviewOffer
        isOpen={state === "offered"}
        seconds={video.free_see_time}
        onClose={() => actor.send({ type: "dismiss" })}
      />
    </section>
  );
}

/** An overlay for a video that cannot continue, with a retry button. */
function Stalled({ onRetry }: { onRetry: () => void }) {
  const text = useText();
  return (
    <div
      role="alert"
      className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 bg-stage/85 p-4 text-center text-on-stage"
    >
      <p>{text("player.broken")}</p>
      <Button onClick={onRetry}>{text("action.retry")}</Button>
    </div>
  );
}
