import type { Query, QueryClient } from "@tanstack/react-query";
import { languageNow, text } from "#client/text/i18n.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { gameList } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { messageList } from "#shared/contract/member.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { noticeList, systemBase, systemConfig, type BaseInfo, type Notice } from "#shared/contract/site.ts";
import { moneyLog, personalReport, reportSeries } from "#shared/contract/wallet.ts";
import { getUserWithdrawRole, withdrawList } from "#shared/contract/withdrawals.ts";
import { bus, showToast } from "./bus.ts";
import { showResult } from "./show-result.ts";
import { showWallet } from "./wallet.ts";

type SystemConfig = ReplyOf<typeof systemConfig>;

/** Whoever must ask again after a draw or a reconnect waits a random moment first, up to so long: not all at once. */
const SPREAD_MS = 400;
/** An answer that is on its way when the line comes back comes this soon, or not at all. */
const HUNG_MS = 700;

/** What a change of the wallet shows in, beside the balance. */
const FIGURES = [moneyLog.path, personalReport.path, reportSeries.path];
/** What a change of a top-up or a withdrawal shows in. */
const OF_RECORD = {
  recharge: [rechargeList.path],
  withdraw: [withdrawList.path, getUserWithdrawRole.path, ...FIGURES, messageList.path],
};

/** What stands on a screen until a push says otherwise. */
const PUSHED = new Set<unknown>([
  ...[systemBase, getUserInfo, rechargeList, withdrawList, noticeList, messageList].map(({ path }) => path),
  gameList.path,
  ...FIGURES,
]);

/**
 * Carries what is pushed into the answers that screens show, and asks again
 * for what a push only hints at. After the line or the server was away
 * everything on the screen is asked again, so nothing that was missed stays missed.
 */
export function keepCurrent(queryClient: QueryClient, wait: (upToMs: number) => number): void {
  const renew = (...paths: string[]) =>
    paths.forEach((path) => void queryClient.invalidateQueries({ queryKey: [path] }));
  const later = (ask: () => void) => void setTimeout(ask, wait(SPREAD_MS));
  let epoch: string | null = null;

  watchAway(queryClient, later);
  bus.on("hello", (hello) => {
    // A restored backup begins a new epoch, whose versions say nothing about the old ones.
    if (epoch !== null && epoch !== hello.epoch) void queryClient.resetQueries({ queryKey: [getUserInfo.path] });
    epoch = hello.epoch;
  });
  bus.on("balance", (news) => {
    showWallet(queryClient, news);
    renew(...FIGURES, gameList.path);
  });
  bus.on("settled", (news) => {
    showWallet(queryClient, news);
    later(() => renew(...FIGURES, gameList.path));
  });
  bus.on("result", (result) => {
    showResult(queryClient, result);
    if (!result.mine) return;
    showWallet(queryClient, result.mine);
    later(() => renew(...FIGURES, gameList.path));
  });
  bus.on("record", ({ kind }) => renew(...OF_RECORD[kind]));
  bus.on("notice", (notice) => showNotice(queryClient, notice));
  bus.on("accountStatus", (standing) => {
    showAccountStatus(queryClient, standing);
    renew(messageList.path);
  });
  bus.on("site", (changed) =>
    queryClient.setQueriesData<BaseInfo>({ queryKey: [systemBase.path] }, (base) => base && { ...base, ...changed }),
  );
}

/** What was away has told nothing, whether it was the line or the server on it. */
function watchAway(queryClient: QueryClient, later: (ask: () => void) => void): void {
  let wasAway = false;
  bus.on("connection", ({ up }) => {
    if (up && wasAway) askAgain(queryClient, later);
    // What changed after it was asked for, and before the first line was there, has been told to nobody here.
    else if (up) later(() => renewKnown(queryClient));
    wasAway ||= !up;
  });
  bus.on("serverAway", ({ away }) => {
    if (!away) askAgain(queryClient, later);
  });
}

/** How the member stands now. That a membership has ended is said once, to whoever saw it run. */
function showAccountStatus(
  queryClient: QueryClient,
  standing: Pick<UserInfo, "status" | "is_see" | "member_until">,
): void {
  const known = queryClient.getQueriesData<UserInfo>({ queryKey: [getUserInfo.path] });
  if (standing.is_see === 0 && known.some(([, user]) => user?.is_see === 1)) showToast(text("plan.endedNow"));
  queryClient.setQueriesData<UserInfo>({ queryKey: [getUserInfo.path] }, (user) => user && { ...user, ...standing });
}

/** Asks again for those of the told that are known. */
function renewKnown(queryClient: QueryClient): void {
  const isKnown = ({ state, queryKey: [path] }: Query) => state.data !== undefined && PUSHED.has(path);
  void queryClient.invalidateQueries({ predicate: isKnown });
}

const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";

/** Everything is asked again. A first question that waits for long on the line that died is given up for it. */
function askAgain(queryClient: QueryClient, later: (ask: () => void) => void): void {
  later(() => void queryClient.invalidateQueries());
  const asked = new Set(queryClient.getQueryCache().findAll({ predicate: isFirst }));
  const isHung = (query: Query) => asked.has(query) && isFirst(query);
  setTimeout(() => void queryClient.resetQueries({ predicate: isHung }), HUNG_MS);
}

/** A new notice is said once, and stands on the home screen from now on. */
function showNotice(queryClient: QueryClient, { name, text }: Notice): void {
  showToast(name);
  void queryClient.invalidateQueries({ queryKey: [noticeList.path] });
  queryClient.setQueryData<SystemConfig>(
    [systemConfig.path, {}, languageNow()],
    (config) => config && { ...config, notice: text },
  );
}
