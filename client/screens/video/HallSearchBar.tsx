import { ArrowUpDown } from "lucide-react";
import { SearchField } from "#client/components/SearchField.tsx";
import { useText } from "#client/text/use-text.ts";
import { VIDEO_SORTS, type VideoSort } from "#shared/contract/video.ts";
import type { HallSearch } from "./use-hall-tab.ts";

interface Props {
  search: HallSearch;
  onLook: (search: HallSearch) => void;
}

/** Searches the videos by title and orders them. */
export function HallSearchBar({ search, onLook }: Props) {
  const text = useText();
  const isSorted = search.sort !== "newest";
  return (
    <div className="mb-4 flex items-start gap-2">
      <SearchField
        key={search.q}
        label={text("hall.search")}
        value={search.q}
        kept="searched videos"
        onFind={(q) => onLook({ ...search, q })}
      />
      <span className="relative size-12 shrink-0 rounded-md border border-edge bg-card has-focus-visible:outline-3">
        <ArrowUpDown size={18} aria-hidden className={`absolute inset-0 m-auto ${isSorted ? "text-brand-text" : ""}`} />
        <select
          aria-label={text("listing.sort")}
          value={search.sort}
          // The select offers only these values.
          onChange={({ target }) => onLook({ ...search, sort: target.value as VideoSort })}
          className="absolute inset-0 w-full cursor-pointer appearance-none opacity-0"
        >
          {VIDEO_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {text(`hall.sorts.${sort}`)}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
