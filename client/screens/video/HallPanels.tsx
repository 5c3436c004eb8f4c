import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { Swiper as Pages } from "swiper";
import { Swiper, SwiperSlide } from "swiper/react";
import { panelId, tabId } from "./HallTabs.tsx";
import type { HallTab } from "./use-hall-tab.ts";

interface Props {
  tabs: readonly HallTab[];
  place: number;
  /** Called after a swipe to another panel. */
  onTurn: (place: number) => void;
  children: (tab: HallTab, isShown: boolean) => ReactNode;
}

/** A swipe: the panel it started from, and the scroll position there. */
interface Turn {
  from: number;
  top: number;
}

const TURN_MS = 200;

/**
 * The hall's panels, side by side. Only the current one is rendered and sets the page's height. During a swipe its
 * neighbours are rendered too, and show their top at any scroll position.
 */
export function HallPanels({ tabs, place, onTurn, children }: Props) {
  const [pages, setPages] = useState<Pages>();
  const [turn, setTurn] = useState<Turn | null>(null);
  const isFollowing = useFollowing(pages, place, tabs.length);
  return (
    <Swiper
      initialSlide={place}
      speed={TURN_MS}
      simulateTouch={false}
      edgeSwipeDetection
      onSwiper={setPages}
      onSliderFirstMove={() => setTurn({ from: place, top: window.scrollY })}
      onSlideChange={({ activeIndex }) => !isFollowing.current && activeIndex !== place && onTurn(activeIndex)}
      onTransitionEnd={() => setTurn(null)}
      className="min-h-[60dvh]"
    >
      {tabs.map((tab, i) => {
        const isShown = i === place;
        return (
          <SwiperSlide key={tab.key} style={isShown ? undefined : { height: 0 }}>
            {(isShown || isNear(i, place, turn)) && (
              <div
                {...(isShown && { role: "tabpanel", id: panelId(tab.key), "aria-labelledby": tabId(tab.key) })}
                inert={!isShown}
                style={{ transform: isShown ? undefined : `translateY(${offsetOf(i, place, turn)}px)` }}
                className="px-4"
              >
                {children(tab, isShown)}
              </div>
            )}
          </SwiperSlide>
        );
      })}
    </Swiper>
  );
}

/**
 * Slides to a tab chosen other than by swipe. The ref is true meanwhile, because Swiper reports this slide like a
 * swipe.
 */
function useFollowing(pages: Pages | undefined, place: number, count: number) {
  const isFollowing = useRef(false);
  useLayoutEffect(() => {
    if (!pages || pages.destroyed || pages.activeIndex === place) return;
    isFollowing.current = true;
    pages.slideTo(place, 0, false);
    isFollowing.current = false;
  }, [pages, place, count]);
  return isFollowing;
}

const isNear = (i: number, place: number, turn: Turn | null) =>
  turn !== null && (i === turn.from || Math.abs(i - place) === 1);

/** The vertical offset of a panel during a swipe: a new panel shows its top, and the old one does not move. */
function offsetOf(i: number, place: number, turn: Turn | null): number {
  if (!turn) return 0;
  if (place === turn.from) return turn.top;
  return i === turn.from ? -turn.top : 0;
}
