import { Search as Glass, SlidersHorizontal } from "lucide-react";
import { useState, type FormEvent } from "react";
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
    <div className="flex gap-2">
      <NameField key={search.q ?? ""} name={search.q ?? ""} onFind={(q) => onLook({ ...search, q })} />
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

/** A name field; the typed text takes effect on submit. */
function NameField({ name, onFind }: { name: string; onFind: (name: string) => void }) {
  const text = useText();
  const [typed, type] = useState(name);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <form role="search" onSubmit={find} className="relative min-w-0 flex-1">
      <input
        type="search"
        enterKeyHint="search"
        value={typed}
        maxLength={64}
        onChange={({ target }) => {
          type(target.value);
          // The field's own clear button removes the filter at once.
          if (target.value === "" && name !== "") onFind("");
        }}
        aria-label={text("listing.search")}
        placeholder={text("listing.search")}
        className="min-h-12 w-full rounded-md border border-edge bg-card ps-3.5 pe-12 text-base placeholder:text-muted"
      />
      <button
        type="submit"
        aria-label={text("listing.find")}
        className="absolute inset-y-0 end-0 grid w-11 place-items-center text-brand-text"
      >
        <Glass size={18} aria-hidden />
      </button>
    </form>
  );
}
