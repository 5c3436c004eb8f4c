import { useImperativeHandle, type Ref } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { videoList, watching } from "#shared/contract/video.ts";
import type { HallTab } from "./use-hall-tab.ts";
import { TileSkeletons } from "./TileSkeletons.tsx";
import { VideoTile } from "./VideoTile.tsx";
import { WatchingRow } from "./WatchingRow.tsx";
import { ChevronRight } from "lucide-react";
import { Link } from "react-router";

export interface Refreshed {
  /** Reloads the list from its start; resolves to the error, or to null. */
  refresh(): Promise<unknown>;
}

/** The videos of one tab. The tab of all videos begins with the unfinished ones. */
export function HallPanel({ tab, ref }: { tab: HallTab; ref?: Ref<Refreshed> | undefined }) {
  const text = useText();
  const isAll = tab.key === "";
  const input = isAll ? {} : { id: tab.key };
  const pages = usePages(videoList, ({ list, count }) => ({ list, count }), { input, isAhead: true });
  // Always refetched, because watching a video changes the unfinished ones.
  const begun = useEndpoint(watching, {}, { enabled: isAll, staleTime: 0, retry: false });
  const [user, site] = [useUser(), useSite()];
  useImperativeHandle(ref, () => ({
    async refresh() {
      const [{ error }] = await Promise.all([pages.renew(), isAll && begun.refetch()]);
      return error;
    },
  }));
  // The rows above the list appear together with it, so that nothing shifts down.
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

/** Shows members without an active membership how much of each video is free, and links to the plans. */
function PreviewHint() {
  const text = useText();
  const { data: user } = useUser();
  const { data: site } = useSite();
  if (!site || user?.is_see !== 0) return null;
  return (
    <Link
      to="/Plans"
      className="flex min-h-11 items-center gap-2 rounded-md bg-brand-soft px-3 py-2 text-sm hover:brightness-95"
    >
      <span className="min-w-0 flex-1">
        {text("hall.preview", { count: site.free_see_time })}{" "}
        <span className="font-semibold text-brand-text">{text("hall.plans")}</span>
      </span>
      <ChevronRight size={18} aria-hidden className="shrink-0 text-brand-text" />
    </Link>
  );
}
