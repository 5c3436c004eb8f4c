import { PullToRefresh, useRefreshOf } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useText } from "#client/text/use-text.ts";
import { lotteryInfo, ownRounds } from "#shared/contract/lottery.ts";
import { messageList } from "#shared/contract/member.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getLimits, reportSeries } from "#shared/contract/wallet.ts";
import { BalanceCard } from "./BalanceCard.tsx";
import { MineMenus } from "./MineMenus.tsx";
import { Person } from "./Person.tsx";
import { Today } from "./Today.tsx";

const SHOWN = [getUserInfo, ownRounds, lotteryInfo, reportSeries, getLimits, messageList];

/** The member's own screen: profile, balance, what is at stake, the day in figures, and links to everything of theirs. */
export default function Mine() {
  const text = useText();
  const refresh = useRefreshOf(SHOWN);
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
