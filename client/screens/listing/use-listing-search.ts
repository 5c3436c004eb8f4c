import { useSearchParams } from "react-router";
import { SORTS, type Sort } from "#shared/contract/listing.ts";

/** The names of each range's bounds and its maximum: whole currency units, and centimetres. */
export const RANGES = [
  { names: ["price_min", "price_max"], most: 2_000_000_000 },
  { names: ["height_min", "height_max"], most: 300 },
] as const;
export type RangeName = (typeof RANGES)[number]["names"][number];

/** The search criteria. They live in the URL, so a search can be shared and Back restores it. */
export interface Search extends Partial<Record<RangeName, string>> {
  city?: string;
  q?: string;
  sort?: Sort;
}

/** Both bounds, the lower one first. */
function boundsIn(params: URLSearchParams, names: readonly [RangeName, RangeName], most: number): Search {
  const [from, to] = names.map((name) => boundOf(params.get(name), most));
  const isTurned = from !== undefined && to !== undefined && Number(from) > Number(to);
  const [least, last] = isTurned ? [to, from] : [from, to];
  return { ...(least && { [names[0]]: least }), ...(last && { [names[1]]: last }) };
}

const boundOf = (typed: string | null, most: number) =>
  typed && /^\d{1,10}$/.test(typed) ? String(Math.min(most, Number(typed))) : undefined;

/** The search from the URL, without invalid values, and a function to change it. */
export function useListingSearch() {
  const [params, setParams] = useSearchParams();
  const search: Search = Object.assign({}, ...RANGES.map(({ names, most }) => boundsIn(params, names, most)));
  const city = params.get("city");
  const q = params.get("q")?.trim();
  const sort = SORTS.find((one) => one === params.get("sort"));
  if (city && /^[\w-]{1,64}$/.test(city)) search.city = city;
  if (q) search.q = q.slice(0, 64);
  if (sort && sort !== "newest") search.sort = sort;
  const look = (wanted: Search) => {
    const given = Object.entries(wanted).filter(([, value]) => value);
    setParams(Object.fromEntries(given), { replace: true, preventScrollReset: true });
  };
  return { search, look };
}
