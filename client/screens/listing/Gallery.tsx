import { OperatorText } from "#client/components/OperatorText.tsx";
import { lazy, Suspense, useEffect } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { showToast } from "#client/api/bus.ts";
import { usePages } from "#client/api/pages.ts";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Picture } from "#client/components/Picture.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useViewer } from "./use-viewer.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { pictureSet, pictureSets } from "#shared/contract/listing.ts";

const Viewer = lazy(() => fetchChunk(() => import("#client/components/Viewer.tsx")));

/** So many covers load at once. */
const FIRST = 4;

/** Picture sets of all listings; a tap opens a set full screen. */
export default function Gallery() {
  const text = useText();
  const viewer = useViewer(["id"]);
  const pages = usePages(pictureSets, ({ list, count }) => ({ list, count }), { limit: 20, isAhead: true });
  return (
    <Screen title={text("gallery.title")}>
      <EndlessList
        pages={pages}
        keyOf={({ id }) => id}
        label={text("gallery.title")}
        isGrid
        skeleton={<Skeleton className="aspect-3/4" />}
        empty={
          <EmptyNote drawing="listings" title={text("listing.none")}>
            <ButtonLink look="quiet" to="/nHomeList">
              {text("listing.title")}
            </ButtonLink>
          </EmptyNote>
        }
        row={(set, place) => (
          <Cover set={set} isFirst={place < FIRST} onOpen={(opener) => viewer.open(0, opener, { id: set.id })} />
        )}
      />
      {viewer.place !== null && <Opened id={viewer.id} from={viewer.place} onClose={viewer.close} />}
    </Screen>
  );
}

interface CoverProps {
  set: ReplyOf<typeof pictureSets>["list"][number];
  isFirst: boolean;
  onOpen: (opener: HTMLElement) => void;
}

function Cover({ set: { title, langs, cover, cover_shape, total }, isFirst, onOpen }: CoverProps) {
  const text = useText();
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => onOpen(currentTarget)}
      className="grid w-full grid-cols-[minmax(0,1fr)] overflow-hidden rounded-lg bg-sunken text-start shadow-card *:[grid-area:1/1]"
    >
      <Picture src={cover} shape={cover_shape} alt="" sizes="(width > 1000px) 310px, 46vw" isFirst={isFirst} />
      <span className="z-1 flex flex-wrap items-end justify-between gap-x-2 self-end bg-scrim p-2.5 text-sm text-on-brand">
        <span className="min-w-0 font-semibold break-words">
          <OperatorText text={title} lang={langs?.title} />
        </span>
        <span className="figures">{text("gallery.pictures", { count: total })}</span>
      </span>
    </button>
  );
}

/** One set, full screen. If it cannot be loaded, it shows the failure and closes. */
function Opened({ id, from, onClose }: { id: string; from: number; onClose: () => void }) {
  const set = useEndpoint(pictureSet, { id });
  const failure = useFailureText();
  const { error } = set;
  useEffect(() => {
    if (!error) return;
    showToast(failure(error), "bad");
    onClose();
    // It closes once per error; the other values do not change meanwhile.
  }, [error]);
  if (!set.data || set.data.images.length === 0) return null;
  const { title, images, image_shapes } = set.data;
  return (
    <Suspense>
      <Viewer
        title={title}
        images={images}
        shapes={image_shapes}
        from={Math.min(from, images.length - 1)}
        onClose={onClose}
      />
    </Suspense>
  );
}
