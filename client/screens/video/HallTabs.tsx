import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { useText } from "#client/text/use-text.ts";
import type { HallTab } from "./use-hall-tab.ts";

interface Props {
  tabs: readonly HallTab[];
  place: number;
  onChoose: (key: string) => void;
}

export const tabId = (key: string): string => `tab-${key}`;
export const panelId = (key: string): string => `panel-${key}`;

/** The tab each key leads to, from the current place and the number of tabs. */
const KEYS: Record<string, (place: number, count: number) => number> = {
  ArrowLeft: (place, count) => (place + count - 1) % count,
  ArrowRight: (place, count) => (place + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The hall's tab bar, used by tap or arrow key. The current tab always scrolls into view. */
export function HallTabs({ tabs, place, onChoose }: Props) {
  const text = useText();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [list, tab] = [strip.current, strip.current?.children[place]];
    if (list && tab instanceof HTMLElement) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [place, tabs.length]);
  const move = (event: KeyboardEvent, from: number) => {
    const next = KEYS[event.key]?.(from, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(tabs[next]!.key);
    (strip.current?.children[next] as HTMLElement | undefined)?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={strip}
      role="tablist"
      aria-label={text("hall.categories")}
      className="relative flex overflow-x-auto [scrollbar-width:none] px-2"
    >
      {tabs.map(({ key, name }, i) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={tabId(key)}
          aria-selected={i === place}
          aria-controls={i === place ? panelId(key) : undefined}
          tabIndex={i === place ? 0 : -1}
          onClick={() => onChoose(key)}
          onKeyDown={(event) => move(event, i)}
          className="min-h-11 shrink-0 border-b-2 border-transparent px-3 -outline-offset-4 text-muted transition-colors duration-150 aria-selected:border-brand-text aria-selected:font-semibold aria-selected:text-brand-text"
        >
          {name}
        </button>
      ))}
    </div>
  );
}
