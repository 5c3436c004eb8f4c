import { MapPin } from "lucide-react";
import { useEffect, useState } from "react";
import { usePages } from "#client/api/pages.ts";
import { EndlessList, type Pages } from "#client/components/EndlessList.tsx";
import { whenIdle } from "#client/app/idle.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { WhenNear } from "#client/components/WhenNear.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { listingList, type ListingCard as Listing } from "#shared/contract/listing.ts";
import { CitySheet } from "./CitySheet.tsx";
import { CardSkeletons, ListingCard } from "./ListingCard.tsx";

/** The longest wait for the page to have nothing to do, in ms. */
const IDLE_MS = 4_000;

/**
 * The catalogue on the home screen, newest first, with a button to pick a city. It is asked for once the page is idle, so
 * that it is there without a line, too, and made when the reader comes near.
 */
export default function HomeListings() {
  const text = useText();
  const [isPicking, pick] = useState(false);
  const [isWanted, want] = useState(false);
  useEffect(() => whenIdle(() => want(true), IDLE_MS), []);
  const pages = usePages(listingList, ({ list, count }) => ({ list, count }), { isAhead: true, enabled: isWanted });
  return (
    <section aria-label={text("listing.title")} className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">{text("listing.title")}</h2>
        <button
          type="button"
          onClick={() => pick(true)}
          className="flex min-h-11 items-center gap-1.5 text-sm font-semibold text-brand-text"
        >
          <MapPin size={16} aria-hidden />
          {text("city.pick")}
        </button>
      </div>
      {/* Nothing is loading yet, so nothing says that it is. */}
      <WhenNear
        place={<SkeletonRows rows={4} className="h-37" />}
        isKnown={pages.rows.length > 0}
        onNear={() => want(true)}
      >
        <Cards pages={pages} />
      </WhenNear>
      {isPicking && <CitySheet onClose={() => pick(false)} />}
    </section>
  );
}

function Cards({ pages }: { pages: Pages<Listing> }) {
  const text = useText();
  return (
    <EndlessList
      pages={pages}
      isPart
      keyOf={({ id }) => id}
      row={(listing) => <ListingCard listing={listing} />}
      label={text("listing.title")}
      skeleton={<CardSkeletons />}
      empty={
        <EmptyNote drawing="listings" title={text("listing.none")}>
          <ButtonLink look="quiet" to="/Video">
            {text("player.hall")}
          </ButtonLink>
        </EmptyNote>
      }
    />
  );
}
