import { PullToRefresh, useRefreshAll } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { BalanceCard } from "./BalanceCard.tsx";
import { MineMenus } from "./MineMenus.tsx";
import { Person } from "./Person.tsx";
import { Today } from "./Today.tsx";

/** The member's own screen: profile, balance, what is at stake, the day in figures, and links to everything of theirs. */
export default function Mine() {
  const text = useText();
  const refresh = useRefreshAll();
  return (
    <Screen title={text("mine.title")} isRoot hasAmounts>
      <PullToRefresh onRefresh={refresh}>
        <div className="two-columns">
          <div className="flex flex-col gap-4">
            <Person />
            <BalanceCard />
            <Today />
          </div>
          <MineMenus />
        </div>
      </PullToRefresh>
    </Screen>
  );
}
