import { OperatorText } from "#client/components/OperatorText.tsx";
import { useId } from "react";
import { Link } from "react-router";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { watching } from "#shared/contract/video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { lengthText } from "./length.ts";
import { Poster } from "./Poster.tsx";

type Begun = ReplyOf<typeof watching>[number];

/** So many posters load at once. */
const FIRST = 3;

/** The member's unfinished videos in a scrolling row; nothing if there are none. */
export function WatchingRow({ videos }: { videos: readonly Begun[] }) {
  const text = useText();
  const title = useId();
  if (videos.length === 0) return null;
  return (
    <section aria-labelledby={title}>
      <h2 id={title} className="pb-2 text-base font-semibold">
        {text("hall.watching")}
      </h2>
      {/* A swipe here scrolls the row and does not change the tab. */}
      <ul className="swiper-no-swiping -mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto [scrollbar-width:none] pointer-fine:[scrollbar-width:thin] px-4 pb-1">
        {videos.map((video, place) => (
          <li key={video.id} className="w-40 shrink-0 snap-start">
            <BegunTile video={video} isFirst={place < FIRST} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function BegunTile({ video, isFirst }: { video: Begun; isFirst: boolean }) {
  const text = useText();
  const { id, vod_name, langs, duration, position_ms } = video;
  const position = position_ms / SECOND_MS;
  const { data: user } = useUser();
  const { data: site } = useSite();
  const endS = user?.is_see === 0 && site ? Math.min(site.free_see_time, duration) : duration;
  return (
    <Link
      to={`/PlayVideo?id=${id}`}
      className="group flex h-full flex-col overflow-hidden rounded-lg border border-line bg-card shadow-card hover:border-brand-text"
    >
      <Poster video={video} sizes="160px" isFirst={isFirst}>
        <span aria-hidden className="absolute inset-x-0 bottom-0 h-1 bg-stage/60">
          <span
            style={{ transform: `scaleX(${Math.min(1, position / Math.max(1, duration))})` }}
            className="block h-full origin-left bg-brand"
          />
        </span>
      </Poster>
      <span className="flex flex-1 flex-col gap-0.5 px-3 py-2">
        <span className="text-sm font-semibold break-words">
          <OperatorText text={vod_name} lang={langs?.vod_name} />
        </span>
        <span className="figures mt-auto text-xs text-muted">
          {text("hall.left", { time: lengthText(endS - position) })}
        </span>
      </span>
    </Link>
  );
}
