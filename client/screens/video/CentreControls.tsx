import { LoaderCircle, Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import { useMediaSelector } from "media-chrome/react/media-store";
import { STEP_S, useMedia } from "./use-media.ts";
import { useText } from "#client/text/use-text.ts";
import { ControlButton } from "./ControlButton.tsx";

/** The controls in the middle of the picture: play, pause, and ten seconds either way. */
export function CentreControls({ onSkip }: { onSkip: (seconds: number) => void }) {
  const text = useText();
  const { isPaused, togglePlay } = useMedia();
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center gap-6 *:pointer-events-auto">
      <ControlButton
        Icon={RotateCcw}
        label={text("player.seekBack", { seconds: STEP_S })}
        onClick={() => onSkip(-STEP_S)}
        place="neighbour"
      />
      <ControlButton
        Icon={isPaused ? Play : Pause}
        label={text(isPaused ? "player.play" : "player.pause")}
        onClick={togglePlay}
        place="middle"
      />
      <ControlButton
        Icon={RotateCw}
        label={text("player.seekForward", { seconds: STEP_S })}
        onClick={() => onSkip(STEP_S)}
        place="neighbour"
      />
    </div>
  );
}

/** The loading indicator of a playing video that waits for data. */
export function Waiting() {
  const text = useText();
  const waits = useMediaSelector(({ mediaLoading, mediaPaused }) => mediaLoading === true && mediaPaused === false);
  if (!waits) return null;
  return (
    <span role="status" className="pointer-events-none absolute inset-0 grid place-items-center text-on-stage">
      <LoaderCircle size={72} strokeWidth={1} aria-hidden className="animate-spin" />
      <span className="sr-only">{text("player.loading")}</span>
    </span>
  );
}
