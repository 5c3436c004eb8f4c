import { OperatorText } from "#client/components/OperatorText.tsx";
import { Link } from "react-router";
import type { VideoCard } from "#shared/contract/video.ts";
import { toIso, SECOND_MS, DAY_MS } from "#shared/time.ts";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { PlayCount } from "./PlayCount.tsx";
import { Poster } from "./Poster.tsx";
import { formatTime } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { useServerNow } from "#client/hooks/use-server-now.ts";
import { useLanguage } from "#client/text/use-text.ts";

interface Props {
  video: VideoCard;
  /** The link replaces the current screen in the history. */
  replace?: boolean;
  /** Among the first on its screen: its poster loads at once. */
  isFirst?: boolean;
}

/** A video in a grid: poster, name, play count and date. */
export function VideoTile({ video, replace = false, isFirst = false }: Props) {
  const day = useDay();
  const { id, vod_name, langs, time } = video;
  return (
    <div className="relative h-full">
      <Link
        to={`/PlayVideo?id=${id}`}
        replace={replace}
        className="group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
      >
        <Poster video={video} sizes="(width > 1000px) 200px, (width > 640px) 31vw, 46vw" isFirst={isFirst} />
        <span className="flex flex-1 flex-col gap-1 p-3">
          <span className="text-sm font-semibold break-words">
            <OperatorText text={vod_name} lang={langs?.vod_name} />
          </span>
          <span className="mt-auto flex flex-wrap items-center gap-x-3 text-xs text-muted">
            <PlayCount count={video.count} />
            <time dateTime={toIso(time * SECOND_MS)}>{day(time)}</time>
          </span>
        </span>
      </Link>
      <SaveButton kind="video" id={id} name={vod_name} look="picture" />
    </div>
  );
}

/** Dates up to this many days ago are relative. */
const NEAR_DAYS = 7;

/** Formats unix seconds as a day: "yesterday" or "3 days ago" if recent, otherwise the date. */
function useDay(): (seconds: number) => string {
  const language = useLanguage();
  const now = useServerNow();
  return (seconds) => {
    const ms = seconds * SECOND_MS;
    const days = now === null ? Infinity : Math.max(0, daysBetween(ms, now));
    if (days < NEAR_DAYS) return new Intl.RelativeTimeFormat(tagOf(language), { numeric: "auto" }).format(-days, "day");
    return formatTime(ms, language, { dateStyle: "medium" });
  };
}

/** Midnights between two moments in the reader's time zone; rounding absorbs changes of the clock. */
const daysBetween = (from: number, to: number) => Math.round((midnightBefore(to) - midnightBefore(from)) / DAY_MS);

const midnightBefore = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
