import { useEffect, useRef } from "react";
import { scrollIntoView } from "./scroll-into-view.ts";

/** Scrolls a newly added item into view, no further than needed. Removing an item scrolls nothing. */
export function useNewestInView<Root extends HTMLElement>(
  items: readonly string[],
  selectorOf: (item: string) => string,
) {
  const root = useRef<Root>(null);
  const known = useRef(items);
  useEffect(() => {
    const newest = items.find((item) => !known.current.includes(item));
    known.current = items;
    if (newest === undefined) return;
    scrollIntoView(root.current?.querySelector(selectorOf(newest)));
  }, [items, selectorOf]);
  return root;
}
