import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { SearchField } from "#client/components/SearchField.tsx";
import type { Search } from "./use-listing-search.ts";
import { useText } from "#client/text/use-text.ts";
import { FilterSheet } from "./FilterSheet.tsx";

interface Props {
  search: Search;
  onLook: (search: Search) => void;
}

/** Searches by name and opens the other filters. */
export function SearchBar({ search, onLook }: Props) {
  const text = useText();
  const [isFiltering, filter] = useState(false);
  const chosen = Object.keys(search).filter((name) => name !== "q").length;
  return (
    <div className="flex items-start gap-2">
      <SearchField
        key={search.q ?? ""}
        label={text("listing.search")}
        value={search.q ?? ""}
        kept="searched listings"
        onFind={(q) => onLook({ ...search, q })}
      />
      <button
        type="button"
        onClick={() => filter(true)}
        className="relative flex min-h-12 shrink-0 items-center gap-2 rounded-md border border-edge bg-card px-3.5 text-sm font-semibold"
      >
        <SlidersHorizontal size={18} aria-hidden />
        {text("listing.filter")}
        {chosen > 0 && (
          <span className="figures grid size-5 place-items-center rounded-full bg-brand-deep text-xs text-on-brand">
            <span className="sr-only">{text("listing.filtered")} </span>
            {chosen}
          </span>
        )}
      </button>
      {isFiltering && (
        <FilterSheet
          search={search}
          onClose={() => filter(false)}
          onLook={(wanted) => onLook({ ...wanted, q: search.q ?? "" })}
        />
      )}
    </div>
  );
}
