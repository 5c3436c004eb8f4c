import { useQueryClient } from "@tanstack/react-query";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { BalanceCard } from "./BalanceCard.tsx";
import { MineMenus } from "./MineMenus.tsx";
import { Person } from "./Person.tsx";
import { Today } from "./Today.tsx";
import { messageList } from "#shared/contract/member.ts";
import { reportSeries } from "#shared/contract/wallet.ts";

/** The member's own screen: profile, balance, the day in figures, and links to everything of theirs. */
export default function Mine() {
  const text = useText();
  const { refetch } = useUser();
  const queryClient = useQueryClient();
  const refresh = useRefresh(async () => {
    const others = [reportSeries, messageList].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }));
    const [user] = await Promise.all([refetch(), ...others]);
    return user;
  });
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
