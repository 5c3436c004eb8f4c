import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { useText } from "#client/text/use-text.ts";
import { categoryList } from "#shared/contract/video.ts";

/** A tab of the hall; the tab of all videos has an empty key. */
export interface HallTab {
  key: string;
  name: string;
}

/** The hall's tabs and the one in the URL. An unknown key selects the tab of all videos. */
export function useHallTab() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const wanted = params.get("key") ?? "";
  const { data, ...query } = useEndpoint(categoryList);
  const tabs: HallTab[] = [{ key: "", name: text("hall.all") }, ...(data ?? [])];
  const place = Math.max(
    0,
    tabs.findIndex(({ key }) => key === wanted),
  );
  const choose = (key: string) => {
    // Reads the URL itself: a quick second choice may come before the render.
    const now = new URLSearchParams(window.location.search).get("key") ?? "";
    if (key !== now) setParams(key ? { key } : {}, { replace: true });
    else window.scrollTo(0, 0);
  };
  return { ...query, wanted, tabs, place, choose, isKnown: data !== undefined };
}
