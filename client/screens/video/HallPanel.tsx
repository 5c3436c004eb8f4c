import { useImperativeHandle, type Ref } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { videoList, watching } from "#shared/contract/video.ts";
import { PreviewHint } from "./PreviewHint.tsx";
import type { HallTab } from "./use-hall-tab.ts";
import { TileSkeletons } from "./TileSkeletons.tsx";
import { VideoTile } from "./VideoTile.tsx";
import { WatchingRow } from "./WatchingRow.tsx";

export interface Refreshed {
  /** Begins the list again; resolves to what went wrong, or to null. */
  refresh(): Promise<unknown>;
}

/** The videos of one part of the hall; among all of them stands first what one has not seen to the end. */
export function HallPanel({ tab, ref }: { tab: HallTab; ref?: Ref<Refreshed> | undefined }) {
  const text = useText();
  const isAll = tab.key === "";
  const input = isAll ? {} : { id: tab.key };
  const pages = usePages(videoList, ({ list, count }) => ({ list, count }), { input, isAhead: true });
  // Whoever comes back from a video has seen more of it.
  const begun = useEndpoint(watching, {}, { enabled: isAll, staleTime: 0, retry: false });
  const [user, site] = [useUser(), useSite()];
  useImperativeHandle(ref, () => ({
    async refresh() {
      const [{ error }] = await Promise.all([pages.renew(), isAll && begun.refetch()]);
      return error;
    },
  }));
  // What stands above the list comes with it, so that nothing moves down.
  if (pages.isPending || begun.isLoading || user.isLoading || site.isLoading) return <TileSkeletons />;
  return (
    <div className="flex flex-col gap-4">
      <PreviewHint />
      {isAll && begun.data && <WatchingRow videos={begun.data} />}
      <div>
        <EndlessList
          pages={pages}
          keyOf={({ id }) => id}
          row={(video) => <VideoTile video={video} />}
          label={tab.name || text("home.video")}
          isGrid
          isWide
          empty={<EmptyNote title={text("hall.none")} />}
        />
      </div>
    </div>
  );
}
