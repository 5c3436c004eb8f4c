import { Captions, Maximize, Minimize, PictureInPicture2, Settings2, Volume2, VolumeX } from "lucide-react";
import { useMedia, useMediaTime, SPEEDS } from "./use-media.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import type { Video } from "./use-video.ts";
import type { Quality } from "#client/playback/stream.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { ChoiceMenu } from "./ChoiceMenu.tsx";
import { ControlButton } from "./ControlButton.tsx";
import { lengthText } from "./length.ts";
import { TimeLine, wholeOfPreview } from "./TimeLine.tsx";

/** The menu value for no captions, or for automatic quality. */
const NONE = "";

export interface Choices {
  /** The element that goes full screen. */
  area: HTMLElement | null;
  qualities: readonly Quality[];
  quality: Quality | null;
  /** Null selects the quality by bandwidth. */
  onQuality: (quality: Quality | null) => void;
  captions: Video["captions"];
  shownCaptions: string | null;
  onCaptions: (lang: string | null) => void;
}

/** The lower control bar: the seek bar, buttons and menus. */
export function ControlBar({ video, ...choices }: Choices & { video: Video }) {
  const text = useText();
  const { isMuted, isFull, isPip, canLoud, canPip, canFill, toggleMute, togglePip, toggleFull } = useMedia();
  return (
    <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-stage/90 to-stage/0 px-2 pt-6">
      <div className="px-1">
        <TimeLine video={video} />
      </div>
      <div className="flex items-center">
        <ControlButton
          Icon={isMuted ? VolumeX : Volume2}
          label={text(isMuted ? "player.unmute" : "player.mute")}
          onClick={toggleMute}
        />
        {canLoud && <VolumeLine />}
        <Times video={video} />
        <span className="grow" />
        <SpeedMenu area={choices.area} />
        {choices.qualities.length > 1 && <QualityMenu {...choices} />}
        {choices.captions.length > 0 && <CaptionsMenu {...choices} />}
        {canPip && (
          <ControlButton
            Icon={PictureInPicture2}
            label={text(isPip ? "player.leavePip" : "player.pip")}
            onClick={togglePip}
          />
        )}
        {canFill && (
          <ControlButton
            Icon={isFull ? Minimize : Maximize}
            label={text(isFull ? "player.leaveFull" : "player.full")}
            onClick={toggleFull}
          />
        )}
      </div>
    </div>
  );
}

function Times({ video }: { video: Video }) {
  const { positionS, durationS } = useMediaTime(wholeOfPreview(video));
  return (
    // In large text the length goes below the position.
    <span className="figures flex min-w-min flex-wrap gap-x-1 px-1 text-sm/none text-on-stage">
      <span className="whitespace-nowrap">{lengthText(positionS)} /</span>
      <span className="whitespace-nowrap">{lengthText(durationS)}</span>
    </span>
  );
}

function SpeedMenu({ area }: Pick<Choices, "area">) {
  const text = useText();
  const { speed, setSpeed } = useMedia();
  const number = numberFormat(tagOf(useLanguage()));
  const name = (times: number) => `${number.format(times)}×`;
  return (
    <ChoiceMenu
      label={`${text("player.speed")} ${name(speed)}`}
      choices={SPEEDS.map((times) => ({ value: String(times), label: name(times) }))}
      value={String(speed)}
      onChoose={(chosen) => setSpeed(Number(chosen))}
      area={area}
    >
      <span className="figures">{name(speed)}</span>
    </ChoiceMenu>
  );
}

function QualityMenu({ area, qualities, quality, onQuality }: Choices) {
  const text = useText();
  const best = qualities.toSorted((one, other) => other.height - one.height);
  const named = best.map(({ place, height }) => ({ value: String(place), label: `${height}p` }));
  return (
    <ChoiceMenu
      label={text("player.quality")}
      choices={[{ value: NONE, label: text("player.auto") }, ...named]}
      value={quality ? String(quality.place) : NONE}
      onChoose={(chosen) => onQuality(qualities.find(({ place }) => String(place) === chosen) ?? null)}
      area={area}
    >
      <Settings2 size={22} aria-hidden />
    </ChoiceMenu>
  );
}

function CaptionsMenu({ area, captions, shownCaptions, onCaptions }: Choices) {
  const text = useText();
  const names = new Intl.DisplayNames(tagOf(useLanguage()), { type: "language" });
  const named = captions.map(({ lang }) => ({ value: lang, label: names.of(lang) ?? lang }));
  return (
    <ChoiceMenu
      label={text("player.captions")}
      choices={[{ value: NONE, label: text("player.off") }, ...named]}
      value={shownCaptions ?? NONE}
      onChoose={(chosen) => onCaptions(chosen || null)}
      area={area}
    >
      <Captions size={22} aria-hidden />
    </ChoiceMenu>
  );
}

/** The volume slider, for mouse users only; phones have volume keys. */
function VolumeLine() {
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
      className="hidden w-20 min-w-0 shrink accent-on-stage outline-on-stage pointer-fine:block"
    />
  );
}
