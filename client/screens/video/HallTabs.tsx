import { OperatorText } from "#client/components/OperatorText.tsx";
import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { showWhole } from "#client/components/show-whole.ts";
import { along } from "#client/hooks/arrow-keys.ts";
import type { HallTab } from "./use-hall-tab.ts";

interface Props {
  tabs: readonly HallTab[];
  place: number;
  /** The tab bar's name for screen readers. */
  label: string;
  onChoose: (key: string) => void;
}

export const tabId = (key: string): string => `tab-${key}`;
export const panelId = (key: string): string => `panel-${key}`;

/** The place of the tab to which a key leads; undefined if it leads nowhere. */
function tabAfter({ key, currentTarget }: KeyboardEvent, place: number, count: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = along(key, currentTarget);
  return step === 0 ? undefined : (place + step + count) % count;
}

/** The hall's tab bar, used by tap or arrow key. The current tab always scrolls into view. */
export function HallTabs({ tabs, place, label, onChoose }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    showWhole(strip.current?.children[place]);
  }, [place, tabs.length]);
  const move = (event: KeyboardEvent, from: number) => {
    const next = tabAfter(event, from, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(tabs[next]!.key);
    (strip.current?.children[next] as HTMLElement | undefined)?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={strip}
      role="tablist"
      aria-label={label}
      className="relative flex overflow-x-auto [scrollbar-width:none] px-2"
    >
      {tabs.map(({ key, name, langs }, i) => (
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
          <OperatorText text={name} lang={langs?.name} />
        </button>
      ))}
    </div>
  );
}
