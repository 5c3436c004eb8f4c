import { useImperativeHandle, type Ref } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { videoList, watching } from "#shared/contract/video.ts";
import type { HallSearch, HallTab } from "./use-hall-tab.ts";
import { TileSkeletons } from "./TileSkeletons.tsx";
import { VideoTile } from "./VideoTile.tsx";
import { WatchingRow } from "./WatchingRow.tsx";
import { ChevronRight } from "lucide-react";
import { Link } from "react-router";

/** The tiles that a phone shows at once. */
const FIRST = 4;

export interface Refreshed {
  /** Reloads the list from its start; resolves to the error, or to null. */
  refresh(): Promise<unknown>;
}

interface Props {
  tab: HallTab;
  search: HallSearch;
  onLook: (search: HallSearch) => void;
  ref?: Ref<Refreshed> | undefined;
}

/** The videos of one tab. The tab of all videos begins with the unfinished ones. */
export function HallPanel({ tab, search, onLook, ref }: Props) {
  const text = useText();
  const isAll = tab.key === "";
  const { q, sort } = search;
  const input = { ...(!isAll && { id: tab.key }), ...(q && { q }), ...(sort !== "newest" && { sort }) };
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
      {isAll && !q && sort === "newest" && begun.data && <WatchingRow videos={begun.data} />}
      <div>
        <EndlessList
          pages={pages}
          isPart
          keyOf={({ id }) => id}
          row={(video, place) => <VideoTile video={video} isFirst={place < FIRST} />}
          label={tab.name || text("home.video")}
          isGrid
          isWide
          empty={<NoVideos isSearch={q !== ""} onClear={() => onLook({ q: "", sort })} />}
        />
      </div>
    </div>
  );
}

function NoVideos({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  const text = useText();
  if (!isSearch)
    return (
      <EmptyNote drawing="videos" title={text("hall.none")}>
        <ButtonLink look="quiet" to="/Home">
          {text("action.toHome")}
        </ButtonLink>
      </EmptyNote>
    );
  return (
    <EmptyNote drawing="search" title={text("hall.noneFound")}>
      <Button look="quiet" onClick={onClear}>
        {text("hall.clear")}
      </Button>
    </EmptyNote>
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
