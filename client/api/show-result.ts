import type { QueryClient } from "@tanstack/react-query";
import { drawsOf, withResult, withUpdate } from "#client/machines/game-update.ts";
import { withDraw, type OwnRound } from "#client/machines/own-round.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { Result } from "#shared/contract/events.ts";
import {
  hotLottery,
  lotteryHistory,
  lotteryInfo,
  lotteryList,
  ownRounds,
  type Lottery,
} from "#shared/contract/lottery.ts";
import { toSeconds } from "#shared/time.ts";
import { changeAnswers } from "./change-answers.ts";
import { serverTime } from "./server-time.ts";

type History = ReplyOf<typeof lotteryHistory>;

/** Shows a drawn round wherever its game is shown, without a question: a full room must not ask at once. */
export function showResult(queryClient: QueryClient, result: Result): void {
  const update = withResult({}, result);
  const shown = (game: Lottery) => (game.key === result.key ? withUpdate(game, update) : game);
  changeAnswers<Lottery>(queryClient, { queryKey: [lotteryInfo.path] }, shown);
  for (const { path } of [lotteryList, hotLottery]) {
    changeAnswers<Lottery[]>(queryClient, { queryKey: [path] }, (games) => games.map(shown));
  }
  const predicate = ({ queryKey: [, input] }: { queryKey: readonly unknown[] }) =>
    (input as { key?: string }).key === result.key;
  changeAnswers<History>(queryClient, { queryKey: [lotteryHistory.path], predicate }, (rows) => withRow(rows, result));
  if (result.mine) showOwn(queryClient, result, result.mine.win);
}

/** Shows the draws of a game as the server just told it: those that nobody here watched were not pushed. */
export function showDraws(queryClient: QueryClient, told: Lottery): void {
  const shown = (game: Lottery) => (game.key === told.key ? withUpdate(game, drawsOf(told)) : game);
  changeAnswers<Lottery>(queryClient, { queryKey: [lotteryInfo.path] }, shown);
}

/** What the round paid, beside the member's stakes. An answer under way may be older than the push: it is asked again. */
function showOwn(queryClient: QueryClient, { key, kind, expect, opencode }: Result, win: string): void {
  const queryKey = [ownRounds.path];
  changeAnswers<OwnRound[]>(queryClient, { queryKey }, (rounds) =>
    rounds.map((own) => (own.key === key && own.expect === expect ? withDraw(own, kind, opencode, win) : own)),
  );
  if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
}

/** The newest row on top; one that is there already stays. */
function withRow(rows: History, { expect, kind, opencode, one, two, sum }: Result): History {
  if (rows.some((row) => row.expect >= expect)) return rows;
  const drawTime = toSeconds(serverTime.now() ?? 0);
  return [{ expect, kind, opencode: [...opencode], one, two, sum, draw_time: drawTime }, ...rows];
}
