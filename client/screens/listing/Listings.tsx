import { GalleryHorizontalEnd, MapPin } from "lucide-react";
import { Link } from "react-router";
import { usePages } from "#client/api/pages.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { RefreshButton } from "#client/components/RefreshButton.tsx";
import { SavedLink } from "#client/components/SaveButton.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useListingSearch } from "./use-listing-search.ts";
import { useText } from "#client/text/use-text.ts";
import { listingList } from "#shared/contract/listing.ts";
import { CardSkeletons, ListingCard } from "./ListingCard.tsx";
import { isGone } from "./NotShown.tsx";
import { SearchBar } from "./SearchBar.tsx";

/** The catalogue of all listings, searchable by city, name, price and height. */
export default function Listings() {
  const text = useText();
  const { search, look } = useListingSearch();
  const pages = usePages(listingList, ({ list, count }) => ({ list, count }), { input: { ...search }, isAhead: true });
  const refresh = useRefresh(pages.renew);
  const isNarrowed = Object.keys(search).some((name) => name !== "sort");
  return (
    <Screen
      title={text("listing.title")}
      aside={<Aside isBusy={pages.isRefetching()} onRefresh={() => void refresh()} />}
    >
      <PullToRefresh onRefresh={refresh}>
        <div className="flex flex-col gap-3">
          <SearchBar search={search} onLook={look} />
          <ToCities />
          <EndlessList
            // An old URL may name a removed city: show an empty list, not an error.
            pages={isGone(pages.error) && search.city ? { ...pages, isLoadingError: false } : pages}
            isPart
            keyOf={({ id }) => id}
            row={(listing, place) => <ListingCard listing={listing} isFirst={place < 3} />}
            label={text("listing.title")}
            skeleton={<CardSkeletons />}
            empty={<NoListings isNarrowed={isNarrowed} onClear={() => look({})} />}
          />
        </div>
      </PullToRefresh>
    </Screen>
  );
}

function NoListings({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  const text = useText();
  if (isNarrowed)
    return (
      <EmptyNote drawing="search" title={text("listing.noneFound")}>
        <Button look="quiet" onClick={onClear}>
          {text("listing.clear")}
        </Button>
      </EmptyNote>
    );
  return (
    <EmptyNote drawing="listings" title={text("listing.none")}>
      <ButtonLink look="quiet" to="/Video">
        {text("player.hall")}
      </ButtonLink>
    </EmptyNote>
  );
}

function ToCities() {
  const text = useText();
  return (
    <Link to="/Choose" className="flex min-h-11 items-center gap-2 text-sm font-semibold text-brand-text">
      <MapPin size={18} aria-hidden />
      {text("city.title")}
    </Link>
  );
}

/** A refresh button, for those who do not pull, and a link to the gallery. */
function Aside({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  const text = useText();
  return (
    <div className="flex shrink-0">
      <SavedLink to="/Saved?tab=listings" />
      <Link to="/Gallery" aria-label={text("gallery.title")} className="grid size-11 place-items-center">
        <GalleryHorizontalEnd size={20} aria-hidden />
      </Link>
      <RefreshButton isBusy={isBusy} onRefresh={onRefresh} />
    </div>
  );
}
