import { MediaProvider } from "media-chrome/react/media-store";
import { useText } from "#client/text/use-text.ts";
import { PreviewOffer } from "./PreviewOffer.tsx";
import { Stage } from "./Stage.tsx";
import { Stalled } from "./Stalled.tsx";
import { UpNext } from "./UpNext.tsx";
import { usePlayer, type Shown } from "./use-player.ts";

/** The player of one video: what may be watched plays at once, and what follows it is offered. */
export function Player(shown: Shown) {
  return (
    <MediaProvider>
      <Playing {...shown} />
    </MediaProvider>
  );
}

function Playing(shown: Shown) {
  const text = useText();
  const { video, next } = shown;
  const playing = usePlayer(shown);
  const { actor, state, playback, isLost, refs } = playing;
  return (
    <section
      aria-label={text("player.name")}
      ref={refs.areaRef}
      className="relative -mx-4 -mt-4 overflow-hidden bg-stage"
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
