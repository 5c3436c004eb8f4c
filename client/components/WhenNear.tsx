import { useEffect, useRef, useState, type ReactNode } from "react";

/** How far below the screen something counts as near, in pixels: what a thumb scrolls while the answer comes. */
const NEAR_PX = 400;

interface Props {
  place: ReactNode;
  /** What it shows is known already: then it is there at once, so that who comes back finds their place. */
  isKnown: boolean;
  onNear: () => void;
  children: ReactNode;
}

/** A part far down its screen: its place until the reader comes near, then the part, for good. */
export function WhenNear({ place, isKnown, onNear, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isKnown);
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  useEffect(() => {
    if (isNear) return undefined;
    const see = (entries: IntersectionObserverEntry[]) => {
      if (!entries.at(-1)!.isIntersecting) return;
      setNear(true);
      latest.current();
    };
    const observer = new IntersectionObserver(see, { rootMargin: `0px 0px ${NEAR_PX}px` });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={ref}>{place}</div>;
}
