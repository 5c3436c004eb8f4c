import { OperatorText } from "#client/components/OperatorText.tsx";
import { Headset } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { PullToRefresh, useRefreshAll } from "#client/components/PullToRefresh.tsx";
import { SaveButton } from "#client/components/SaveButton.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { ShareButton } from "#client/components/ShareButton.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { listingList } from "#shared/contract/listing.ts";
import { Comments } from "./Comments.tsx";
import { DetailSkeleton } from "./DetailSkeleton.tsx";
import { ListingCard } from "./ListingCard.tsx";
import { ListingFacts } from "./ListingFacts.tsx";
import { isGone, NotShown } from "./NotShown.tsx";
import { PictureSlides } from "./PictureSlides.tsx";
import { PrivatePart } from "./PrivatePart.tsx";
import { useListing, type Listing } from "./use-listing.ts";

/** One listing: its pictures, its public and members-only facts, its comments, and others of its city. */
export default function ListingDetail() {
  const text = useText();
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const { listing, error, refetch } = useListing(id);
  const refresh = useRefreshAll();
  const isShown = listing && !isGone(error);
  const name = listing?.xuanfei_name ?? text("listing.one");
  return (
    <Screen
      title={name}
      aside={
        isShown && (
          <div className="flex shrink-0">
            <ShareButton title={name} path={`/nHomeDetail?${new URLSearchParams({ id })}`} />
            <SaveButton kind="listing" id={id} name={name} />
          </div>
        )
      }
    >
      {isShown ? (
        <PullToRefresh onRefresh={refresh}>
          <Shown key={id} listing={listing} />
        </PullToRefresh>
      ) : error ? (
        <NotShown error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailSkeleton />
      )}
    </Screen>
  );
}

function Shown({ listing }: { listing: Listing }) {
  const { id, xuanfei_name, langs, img_url, img_shapes, city, price } = listing;
  return (
    <div className="two-columns pb-20">
      <PictureSlides title={xuanfei_name} images={img_url} shapes={img_shapes}>
        <h2 className="text-lg/tight font-semibold break-words">
          <OperatorText text={xuanfei_name} lang={langs?.xuanfei_name} />
        </h2>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span>
            <OperatorText text={city.name} lang={city.langs?.name} />
          </span>
          <Amount value={price} className="font-semibold" hasUnit />
        </p>
      </PictureSlides>
      <div className="flex flex-col gap-4">
        <ListingFacts listing={listing} />
        <PrivatePart listing={listing} />
        <Comments listingId={id} />
        <OthersThere listing={listing} />
      </div>
      <Contact />
    </div>
  );
}

/** How many others of the city are shown. */
const OTHERS = 3;

/** Others of the same city, and the way to all of them. */
function OthersThere({ listing: { id, city } }: { listing: Listing }) {
  const text = useText();
  const found = useEndpoint(listingList, { city: city.id, limit: String(OTHERS + 1) });
  const others = (found.data?.list ?? []).filter((one) => one.id !== id).slice(0, OTHERS);
  if (others.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="font-semibold">{text("listing.others", { city: city.name })}</h2>
        <Link
          to={`/List?${new URLSearchParams({ id: city.id, name: city.name })}`}
          className="flex min-h-11 items-center text-sm font-semibold text-brand-text"
        >
          {text("action.seeAll")}
        </Link>
      </div>
      <ul className="flex flex-col gap-3">
        {others.map((other) => (
          <li key={other.id}>
            <ListingCard listing={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Bookings go through the operator. The dialog says so and links to support while it is open. */
function Contact() {
  const text = useText();
  const { data: site } = useSite();
  const [isOpen, open] = useState(false);
  return (
    <div className="fixed inset-x-0 bottom-0 z-20">
      <div className="in-frame border-t border-line bg-card/95 px-4 pt-3 pb-[calc(env(safe-area-inset-bottom)+12px)] backdrop-blur">
        <Button onClick={() => open(true)} className="w-full">
          <Headset size={20} aria-hidden />
          {text("listing.contactButton")}
        </Button>
      </div>
      <Sheet title={text("listing.contactButton")} kind="pop" isOpen={isOpen} onClose={() => open(false)}>
        <p className="mb-4">{text("listing.contactText")}</p>
        {site?.iskefu === 1 && (
          <ButtonLink to="/ServiceOnline" className="w-full">
            {text("service.title")}
          </ButtonLink>
        )}
      </Sheet>
    </div>
  );
}
