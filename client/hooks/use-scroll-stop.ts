import { useLayoutEffect, useRef, useState } from "react";

/** What may have to be scrolled is reached by keyboard where there is something to scroll, and is no stop elsewhere. */
export function useScrollStop<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [scrolls, tell] = useState(false);
  const look = () => {
    const { scrollHeight, clientHeight } = ref.current!;
    tell(scrollHeight > clientHeight);
  };
  // Its content may have changed, or its width.
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(look);
    sizes.observe(ref.current!);
    return () => sizes.disconnect();
  }, []);
  return { ref, tabIndex: scrolls ? 0 : undefined };
}
