import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { useText } from "#client/text/use-text.ts";
import { categoryList } from "#shared/contract/video.ts";

/** A part of the hall; the key of all videos is empty. */
export interface HallTab {
  key: string;
  name: string;
}

/** The tabs of the hall and the one that the address names; one that is no more leads to all. */
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
    // Whoever is quick chooses again before the screen has followed the address.
    const now = new URLSearchParams(window.location.search).get("key") ?? "";
    if (key !== now) setParams(key ? { key } : {}, { replace: true });
    else window.scrollTo(0, 0);
  };
  return { ...query, wanted, tabs, place, choose, isKnown: data !== undefined };
}
