import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { NoticeBar } from "#client/components/NoticeBar.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useListing, type Listing } from "./use-listing.ts";
import { useText } from "#client/text/use-text.ts";
import { systemConfig } from "#shared/contract/site.ts";
import { Comments } from "./Comments.tsx";
import { DetailSkeleton } from "./DetailSkeleton.tsx";
import { ListingFacts } from "./ListingFacts.tsx";
import { isGone, NotShown } from "./NotShown.tsx";
import { PictureSlides } from "./PictureSlides.tsx";
import { PrivatePart } from "./PrivatePart.tsx";

/** One listing: its pictures, its public and members-only facts, and its comments. */
export default function ListingDetail() {
  const text = useText();
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const { listing, error, refetch } = useListing(id);
  return (
    <Screen title={listing?.xuanfei_name ?? text("listing.one")}>
      {listing && !isGone(error) ? (
        <Shown key={id} listing={listing} />
      ) : error ? (
        <NotShown error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailSkeleton />
      )}
    </Screen>
  );
}

function Shown({ listing }: { listing: Listing }) {
  const text = useText();
  const config = useEndpoint(systemConfig);
  return (
    <div className="flex flex-col gap-4">
      <PictureSlides title={listing.xuanfei_name} images={listing.img_url} shapes={listing.img_shapes} />
      {config.data?.notice && <NoticeBar text={config.data.notice} label={text("home.notice")} />}
      <ListingFacts listing={listing} />
      <PrivatePart listing={listing} />
      <Comments listingId={listing.id} />
    </div>
  );
}
