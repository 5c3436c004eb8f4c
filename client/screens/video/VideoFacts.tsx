import { OperatorText } from "#client/components/OperatorText.tsx";
import { Clock } from "lucide-react";
import { Link } from "react-router";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { ShareButton } from "#client/components/ShareButton.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { Video } from "./use-video.ts";
import { lengthText } from "./length.ts";
import { PlayCount } from "./PlayCount.tsx";

/** The video's details under the player: play count, date and free time. */
export function VideoFacts({ video }: { video: Video }) {
  const text = useText();
  const day = useTime({ dateStyle: "medium" });
  const { count, time, category, demo, is_see, free_see_time: seconds, duration } = video;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <p className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
          <PlayCount count={count} />
          <span>{day(time)}</span>
          <Link to={`/Video?key=${category.key}`} className="text-brand-text underline-offset-4 hover:underline">
            <OperatorText text={category.name} lang={category.langs?.name} />
          </Link>
          {demo === 1 && <span>{text("state.demo")}</span>}
        </p>
        <ShareButton title={video.vod_name} path={`/PlayVideo?id=${video.id}`} />
        <SaveButton kind="video" id={video.id} name={video.vod_name} />
      </div>
      {is_see === 0 && seconds < duration && (
        <p className="flex items-center gap-2 rounded-md bg-brand-soft px-4 py-3 text-sm">
          <Clock size={16} aria-hidden className="shrink-0" />
          {text("player.previewOf", { seconds, length: lengthText(duration) })}
        </p>
      )}
    </section>
  );
}
