import { useMedia } from "#client/hooks/use-media.ts";
import { useText } from "#client/text/use-text.ts";

/** How loud it is; where there is a mouse, as phones have keys of their own. */
export function VolumeLine() {
  const text = useText();
  const { volume, isMuted, setVolume } = useMedia();
  return (
    <input
      type="range"
      min={0}
      max={1}
      step={0.05}
      value={isMuted ? 0 : volume}
      onChange={({ target }) => setVolume(Number(target.value))}
      aria-label={text("player.volume")}
      className="hidden w-20 accent-on-stage outline-on-stage pointer-fine:block"
    />
  );
}
