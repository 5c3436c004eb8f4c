import type { Query, QueryClient } from "@tanstack/react-query";
import { languageNow, text } from "#client/text/i18n.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { gameList, ownRounds } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { messageList } from "#shared/contract/member.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { noticeList, systemBase, systemConfig, type BaseInfo, type Notice } from "#shared/contract/site.ts";
import { supportMessages } from "#shared/contract/support.ts";
import { ownVideos, watching, watchPlace } from "#shared/contract/video.ts";
import { getLimits, moneyLog, personalReport, reportSeries } from "#shared/contract/wallet.ts";
import { getUserWithdrawRole, withdrawList } from "#shared/contract/withdrawals.ts";
import { bus, showToast } from "./bus.ts";
import { changeAnswers } from "./change-answers.ts";
import { showDraws, showResult } from "./show-result.ts";
import { showWallet } from "./wallet.ts";

type SystemConfig = ReplyOf<typeof systemConfig>;

/** The most jitter before a refetch after a draw or a reconnect. */
const SPREAD_MS = 400;
/** A reply in flight when the connection returns arrives within this time or never. */
const HUNG_MS = 700;

/** Queries that show a change of the wallet, beside the balance. */
const FIGURES = [moneyLog.path, personalReport.path, reportSeries.path];
/** And those that show what was staked or won. */
const OF_PLAY = [...FIGURES, getLimits.path, gameList.path];
/** Queries that show a change of a deposit or a withdrawal. */
const OF_RECORD = {
  recharge: [rechargeList.path],
  withdraw: [withdrawList.path, getUserWithdrawRole.path, ...FIGURES, messageList.path],
};

/** Queries that show what was watched, and where one stopped. */
const OF_HISTORY = [ownVideos.path, watching.path, watchPlace.path];

/** Queries whose cache is current until a push invalidates it. */
const PUSHED = new Set<string>([
  ...[systemBase, getUserInfo, rechargeList, withdrawList, noticeList, messageList, supportMessages].map(
    ({ path }) => path,
  ),
  ownRounds.path,
  ...OF_PLAY,
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

  watchAway(queryClient, later);
  watchEpoch(queryClient);
  bus.on("balance", (change) => {
    showWallet(queryClient, change);
    renew(...OF_PLAY, ownRounds.path);
  });
  bus.on("settled", (change) => {
    showWallet(queryClient, change);
    later(() => renew(...OF_PLAY, ownRounds.path));
  });
  bus.on("snapshot", (game) => showDraws(queryClient, game));
  bus.on("result", (result) => {
    showResult(queryClient, result);
    if (!result.mine) return;
    showWallet(queryClient, result.mine);
    later(() => renew(...OF_PLAY));
  });
  bus.on("record", ({ kind }) => renew(...OF_RECORD[kind]));
  bus.on("message", () => renew(messageList.path));
  bus.on("messagesRead", () => renew(messageList.path));
  bus.on("history", (history) => {
    patch<UserInfo>(queryClient, [getUserInfo.path], history);
    renew(...OF_HISTORY);
  });
  bus.on("support", () => renew(supportMessages.path));
  bus.on("notice", (notice) => showNotice(queryClient, notice));
  bus.on("accountStatus", (status) => {
    showAccountStatus(queryClient, status);
    renew(messageList.path);
  });
  bus.on("site", (changed) => patch<BaseInfo>(queryClient, [systemBase.path], changed));
}

/** Puts what was pushed into an answer. One under way may be older than the push, and would undo it: it is asked again. */
function patch<T>(queryClient: QueryClient, queryKey: readonly unknown[], changed: Partial<T>): void {
  changeAnswers<T>(queryClient, { queryKey }, (known) => ({ ...known, ...changed }));
  if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
}

/** Refetches after the connection or the server was away: pushes were missed. */
function watchAway(queryClient: QueryClient, later: (ask: () => void) => void): void {
  let wasAway = false;
  bus.on("connection", ({ up }) => {
    if (up && wasAway) askAgain(queryClient, later);
    // Changes between the first fetch and the first connection were not pushed here.
    // Each has a moment of its own: a tap waits for one of them at most.
    else if (up) for (const path of PUSHED) later(() => renewKnown(queryClient, path));
    wasAway ||= !up;
  });
  bus.on("serverAway", ({ away }) => {
    if (!away) askAgain(queryClient, later);
  });
}

/** Asks anew who is logged in after a restore: the versions of its epoch say nothing about those before. */
function watchEpoch(queryClient: QueryClient): void {
  let epoch: string | null = null;
  bus.on("hello", (hello) => {
    if (epoch !== null && epoch !== hello.epoch) void queryClient.resetQueries({ queryKey: [getUserInfo.path] });
    epoch = hello.epoch;
  });
}

/** Shows the new account status. A toast says once that a running membership ended. */
function showAccountStatus(
  queryClient: QueryClient,
  status: Pick<UserInfo, "status" | "is_see" | "member_until">,
): void {
  const known = queryClient.getQueriesData<UserInfo>({ queryKey: [getUserInfo.path] });
  if (status.is_see === 0 && known.some(([, user]) => user?.is_see === 1)) showToast(text("plan.endedNow"));
  patch<UserInfo>(queryClient, [getUserInfo.path], status);
}

/** Refetches the queries of a path that have data. */
function renewKnown(queryClient: QueryClient, path: string): void {
  void queryClient.invalidateQueries({ queryKey: [path], predicate: ({ state }) => state.data !== undefined });
}

const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";

/** Refetches everything. A first fetch still hanging on the dead connection is restarted. */
function askAgain(queryClient: QueryClient, later: (ask: () => void) => void): void {
  later(() => void queryClient.invalidateQueries());
  const asked = new Set(queryClient.getQueryCache().findAll({ predicate: isFirst }));
  const isHung = (query: Query) => asked.has(query) && isFirst(query);
  setTimeout(() => void queryClient.resetQueries({ predicate: isHung }), HUNG_MS);
}

/** Toasts a new notice once and shows it on the home screen from now on. */
function showNotice(queryClient: QueryClient, { name, text }: Notice): void {
  showToast(name);
  void queryClient.invalidateQueries({ queryKey: [noticeList.path] });
  patch<SystemConfig>(queryClient, [systemConfig.path, {}, languageNow()], { notice: text });
}
