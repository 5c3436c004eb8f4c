import { useEffect, useRef, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh } from "#client/components/PullToRefresh.tsx";
import { RefreshButton } from "#client/components/RefreshButton.tsx";
import { SavedLink } from "#client/components/SaveButton.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { HallPanel, type Refreshed } from "./HallPanel.tsx";
import { HallPanels } from "./HallPanels.tsx";
import { HallSearchBar } from "./HallSearchBar.tsx";
import { HallTabs } from "./HallTabs.tsx";
import { useHallTab } from "./use-hall-tab.ts";
import { SECOND_MS } from "#shared/time.ts";

/** The video hall: a tab per category, changed by tap, swipe or arrow key. The URL holds the current tab. */
export default function VideoHall() {
  const [text, failure] = [useText(), useFailureText()];
  const shown = useRef<Refreshed>(null);
  const [isBusy, setBusy] = useState(false);
  usePlayerAhead();
  const { tabs, place, choose, search, look, wanted, isKnown, isError, error, refetch } = useHallTab();
  const refresh = async () => {
    setBusy(true);
    const wrong = await shown.current?.refresh();
    setBusy(false);
    showToast(wrong ? failure(wrong) : text("state.refreshed"), wrong ? "bad" : "good");
  };
  if (isError && !isKnown) return <NoTabs error={error} onRetry={() => void refetch()} />;
  return (
    <Screen
      title={text("home.video")}
      hasTabs
      aside={<Aside isBusy={isBusy} onRefresh={() => void refresh()} />}
      under={isKnown ? <HallTabs tabs={tabs} place={place} label={text("hall.categories")} onChoose={choose} /> : TABS}
    >
      <PullToRefresh onRefresh={refresh}>
        <HallSearchBar search={search} onLook={look} />
        {isKnown ? (
          <div className="-mx-4">
            <HallPanels tabs={tabs} place={place} onTurn={(turned) => choose(tabs[turned]!.key)}>
              {(tab, isShown) => (
                <HallPanel tab={tab} search={search} onLook={look} ref={isShown ? shown : undefined} />
              )}
            </HallPanels>
          </div>
        ) : (
          <HallPanel tab={{ key: wanted, name: "" }} search={search} onLook={look} ref={shown} />
        )}
      </PullToRefresh>
    </Screen>
  );
}

/** Where the tabs will be. */
const TABS = <Skeleton className="mx-4 my-3 h-5 w-60" />;

/** A link to the saved videos, and a refresh button for those who do not pull. */
function Aside({ isBusy, onRefresh }: { isBusy: boolean; onRefresh: () => void }) {
  return (
    <div className="flex shrink-0">
      <SavedLink to="/Saved" />
      <RefreshButton isBusy={isBusy} onRefresh={onRefresh} />
    </div>
  );
}

function NoTabs({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  return (
    <Screen title={text("home.video")} hasTabs>
      <FailedNote error={error} onRetry={onRetry} />
    </Screen>
  );
}

/** The delay that lets the list and its pictures load first. */
const AFTER_MS = SECOND_MS;

/** Prefetches the player while the member browses the hall. */
function usePlayerAhead(): void {
  useEffect(() => {
    // A failed prefetch is retried when a video opens.
    const timer = setTimeout(() => void import("./PlayVideo.tsx").catch(() => undefined), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
