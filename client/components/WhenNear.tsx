import { useEffect, useRef, useState, type ReactNode } from "react";

/** How far below the screen something counts as near, in pixels: what a thumb scrolls while the answer comes. */
const NEAR_PX = 400;

/** A part far down its screen: its place until the reader comes near, then the part, for good. */
export function WhenNear({ place, children }: { place: ReactNode; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear) return undefined;
    const see = (entries: IntersectionObserverEntry[]) => entries.at(-1)!.isIntersecting && setNear(true);
    const observer = new IntersectionObserver(see, { rootMargin: `0px 0px ${NEAR_PX}px` });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={ref}>{place}</div>;
}
