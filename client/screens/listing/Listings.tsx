import { GalleryHorizontalEnd } from "lucide-react";
import { Link } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { usePages } from "#client/api/pages.ts";
import { Button } from "#client/components/Button.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { PullToRefresh } from "#client/components/PullToRefresh.tsx";
import { RefreshButton } from "#client/components/RefreshButton.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
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
  const failure = useFailureText();
  const refresh = async () => {
    const { isError, error } = await pages.renew();
    showToast(isError ? failure(error) : text("listing.refreshed"), isError ? "bad" : "good");
  };
  const isNarrowed = Object.keys(search).some((name) => name !== "sort");
  return (
    <Screen
      title={text("listing.title")}
      aside={<Aside isBusy={pages.isRefetching} onRefresh={() => void refresh()} />}
    >
      <PullToRefresh onRefresh={refresh}>
        <div className="flex flex-col gap-3">
          <SearchBar search={search} onLook={look} />
          <EndlessList
            // An old URL may name a removed city: show an empty list, not an error.
            pages={isGone(pages.error) && search.city ? { ...pages, isError: false } : pages}
            keyOf={({ id }) => id}
            row={(listing) => <ListingCard listing={listing} />}
            label={text("listing.title")}
            skeleton={<CardSkeletons />}
            empty={
              <EmptyNote title={text(isNarrowed ? "listing.noneFound" : "listing.none")}>
                {isNarrowed && (
                  <Button look="quiet" onClick={() => look({})}>
                    {text("listing.clear")}
                  </Button>
                )}
              </EmptyNote>
            }
          />
        </div>
      </PullToRefresh>
    </Screen>
  );
}

/** A refresh button, for those who do not pull, and a link to the gallery. */
function Aside({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  const text = useText();
  return (
    <div className="flex shrink-0">
      <Link to="/Gallery" aria-label={text("gallery.title")} className="grid size-11 place-items-center">
        <GalleryHorizontalEnd size={20} aria-hidden />
      </Link>
      <RefreshButton isBusy={isBusy} onRefresh={onRefresh} />
    </div>
  );
}
