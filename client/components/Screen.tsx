import { ChevronLeft } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { NavigationType, useNavigationType } from "react-router";
import { useBack } from "#client/app/use-go.ts";
import { useSiteName } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { UnitLine } from "./UnitLine.tsx";

interface Props {
  title: string;
  /** Replaces the visible title; screen readers and the browser tab still get `title`. */
  heading?: ReactNode;
  /** One of the tab bar's own screens, without a Back button. */
  isRoot?: boolean;
  /** The tab bar lies over its end. */
  hasTabs?: boolean;
  /** A button or a number at the end of the bar. */
  aside?: ReactNode;
  /** Sticks with the bar, at its lower edge. */
  under?: ReactNode;
  /** The screen shows amounts, so it states their unit. */
  hasAmounts?: boolean;
  children: ReactNode;
}

/** One screen: a bar with Back, a title for the page, screen readers and the browser tab, and the content. */
export function Screen({
  title,
  heading,
  isRoot = false,
  hasTabs = isRoot,
  aside,
  under,
  hasAmounts = false,
  children,
}: Props) {
  const name = useSiteName();
  const titleRef = useTitleFocus(`${title} · ${name}`);
  const bar = useBarEnd();
  return (
    <div className="flex min-h-dvh flex-col">
      <header ref={bar} className="sticky top-0 z-20 border-b border-line bg-paper/95 backdrop-blur">
        <div className="flex min-h-[calc(--spacing(13)-1px)] flex-wrap items-center justify-end gap-1 px-1 pt-[env(safe-area-inset-top)]">
          {isRoot ? <span className="w-2" /> : <BackButton />}
          <h1
            ref={titleRef}
            tabIndex={-1}
            className="min-w-0 flex-1 basis-[8rem] py-1.5 text-lg/tight font-semibold text-balance wrap-anywhere"
          >
            {heading ?? title}
          </h1>
          {aside}
        </div>
        {under}
      </header>
      <main className={`flex-1 px-4 pt-4 ${hasTabs ? "above-tabs" : "above-edge"}`}>
        {hasAmounts && <UnitLine />}
        {children}
      </main>
    </div>
  );
}

function BackButton() {
  const text = useText();
  const back = useBack();
  return (
    <button
      type="button"
      onClick={back}
      aria-label={text("action.back")}
      className="grid size-11 shrink-0 place-items-center"
    >
      <ChevronLeft aria-hidden />
    </button>
  );
}

/** Tells what lies over the content where the bar ends. */
function useBarEnd() {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const tell = () => document.documentElement.style.setProperty("--bar-end", `${bar.current?.offsetHeight ?? 0}px`);
    // It also tells the first size, before the screen is painted: asking for it here would lay the page out once more.
    const sizes = new ResizeObserver(tell);
    sizes.observe(bar.current!);
    return () => sizes.disconnect();
  }, []);
  return bar;
}

/** Sets the document's title, and focuses the heading after a navigation so that screen readers start at the top. */
function useTitleFocus(title: string) {
  const ref = useRef<HTMLHeadingElement>(null);
  const how = useNavigationType();
  const isShown = useRef(false);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // Replacing the history entry, as a tab change does, stays on the same screen.
    const isSame = isShown.current && how === NavigationType.Replace;
    if (how !== NavigationType.Pop && !isSame) ref.current?.focus({ preventScroll: true });
    isShown.current = true;
  }, [how]);
  return ref;
}
