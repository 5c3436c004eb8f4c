import type { QueryClient } from "@tanstack/react-query";
import { gameList, hotLottery, lotteryInfo, lotteryHistory, lotteryList } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { noticeList, systemBase, type BaseInfo } from "#shared/contract/site.ts";
import { moneyLog, personalReport } from "#shared/contract/wallet.ts";
import { bus } from "./bus.ts";
import { serverTime } from "./server-time.ts";
import { showWallet } from "./wallet.ts";

/** Whoever must ask again after a draw or a reconnect waits a random moment first, up to so long. */
const SPREAD_MS = 400;

/**
 * Carries what is pushed into the answers that screens show, and asks again
 * for what a push only hints at. After the line was away everything on the
 * screen is asked again, so nothing that was missed stays missed.
 */
export function keepCurrent(answers: QueryClient, random: () => number): void {
  const renew = (...paths: string[]) => paths.forEach((path) => void answers.invalidateQueries({ queryKey: [path] }));
  let epoch: string | null = null;
  let wasAway = false;

  bus.on("line", ({ up }) => {
    if (up && wasAway) setTimeout(() => void answers.invalidateQueries(), random() * SPREAD_MS);
    wasAway ||= !up;
  });
  bus.on("hello", (hello) => {
    // A restored backup begins a new epoch, whose versions say nothing about the old ones.
    if (epoch !== null && epoch !== hello.epoch) void answers.resetQueries({ queryKey: [getUserInfo.path] });
    epoch = hello.epoch;
  });
  bus.on("balance", (news) => {
    showWallet(answers, news);
    renew(moneyLog.path, personalReport.path);
  });
  bus.on("settled", (news) => {
    showWallet(answers, news);
    renew(moneyLog.path, personalReport.path, gameList.path);
  });
  bus.on("result", ({ mine }) => {
    if (mine) showWallet(answers, mine);
    if (mine) renew(moneyLog.path, personalReport.path, gameList.path);
    renew(lotteryHistory.path, lotteryInfo.path, lotteryList.path, hotLottery.path);
  });
  bus.on("record", () => renew(rechargeList.path));
  bus.on("notice", () => renew(noticeList.path));
  bus.on("standing", ({ status, is_see, member_until }) =>
    answers.setQueriesData<UserInfo>(
      { queryKey: [getUserInfo.path] },
      (user) => user && { ...user, status, is_see, member_until },
    ),
  );
  bus.on("site", (changed) =>
    answers.setQueriesData<BaseInfo>({ queryKey: [systemBase.path] }, (base) => base && { ...base, ...changed }),
  );
  bus.on("snapshot", ({ server_now_ms }) => serverTime.heard(server_now_ms));
}
