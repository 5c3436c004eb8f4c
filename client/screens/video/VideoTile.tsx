import { Link } from "react-router";
import { useDay } from "./use-day.ts";
import type { VideoCard } from "#shared/contract/video.ts";
import { toIso, SECOND_MS } from "#shared/time.ts";
import { PlayCount } from "./PlayCount.tsx";
import { Poster } from "./Poster.tsx";

interface Props {
  video: VideoCard;
  /** Takes the place of the screen it is tapped on. */
  replace?: boolean;
}

/** One video among others: its poster, what it is called, how often it was watched and since when it is there. */
export function VideoTile({ video, replace = false }: Props) {
  const day = useDay();
  const { id, vod_name, time } = video;
  return (
    <Link
      to={`/PlayVideo?id=${id}`}
      replace={replace}
      className="group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
    >
      <Poster video={video} sizes="(width > 1000px) 200px, (width > 640px) 31vw, 46vw" />
      <span className="flex flex-1 flex-col gap-1 p-3">
        <span className="text-sm font-semibold break-words">{vod_name}</span>
        <span className="mt-auto flex flex-wrap items-center gap-x-3 text-xs text-muted">
          <PlayCount count={video.count} />
          <time dateTime={toIso(time * SECOND_MS)}>{day(time)}</time>
        </span>
      </span>
    </Link>
  );
}
