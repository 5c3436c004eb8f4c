import type { UseQueryResult } from "@tanstack/react-query";
import { FailedNote } from "#client/components/Notes.tsx";
import { useText } from "#client/text/use-text.ts";
import type { VideoCard } from "#shared/contract/video.ts";
import { TileSkeletons } from "./TileSkeletons.tsx";
import { VideoTile } from "./VideoTile.tsx";

/** Further videos. Opening one replaces the current screen, so Back always leads to the hall. */
export function MoreVideos({ more: { data, isError, error, refetch } }: { more: UseQueryResult<VideoCard[]> }) {
  const text = useText();
  if (data?.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{text("player.more")}</h2>
      {data ? (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-2">
          {data.map((video) => (
            <li key={video.id}>
              <VideoTile video={video} replace />
            </li>
          ))}
        </ul>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <TileSkeletons />
      )}
    </section>
  );
}
