import type { Langs } from "#shared/locales.ts";
import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { useText } from "#client/text/use-text.ts";
import { categoryList, VIDEO_SORTS, type VideoSort } from "#shared/contract/video.ts";

/** The longest search, in letters. */
const LONGEST = 64;

/** A tab of the hall; the tab of all videos has an empty key. */
export interface HallTab {
  key: string;
  name: string;
  langs?: Langs | undefined;
}

/** What is looked for in a tab. */
export interface HallSearch {
  q: string;
  sort: VideoSort;
}

function searchIn(params: URLSearchParams): HallSearch {
  const sort = VIDEO_SORTS.find((one) => one === params.get("sort")) ?? "newest";
  return { q: params.get("q")?.trim().slice(0, LONGEST) ?? "", sort };
}

/** The parameters with these; what is the default is left out. */
function changed(params: URLSearchParams, more: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(more)) {
    if (value && value !== "newest") next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** The hall's tabs and the one in the URL. An unknown key selects the tab of all videos. */
export function useHallTab() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const wanted = params.get("key") ?? "";
  const { data, isError, error, refetch } = useEndpoint(categoryList);
  const tabs: HallTab[] = [{ key: "", name: text("hall.all") }, ...(data ?? [])];
  const place = Math.max(
    0,
    tabs.findIndex(({ key }) => key === wanted),
  );
  const choose = (key: string) => {
    // Reads the URL itself: a quick second choice may come before the render.
    const now = new URLSearchParams(window.location.search).get("key") ?? "";
    if (key !== now) setParams((params) => changed(params, { key }), { replace: true });
    else window.scrollTo(0, 0);
  };
  const look = (search: HallSearch) =>
    setParams((params) => changed(params, { ...search }), { replace: true, preventScrollReset: true });
  const query = { isKnown: data !== undefined, isError, error, refetch };
  return { ...query, wanted, tabs, place, choose, search: searchIn(params), look };
}
