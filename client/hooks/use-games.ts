import { useEffect, useMemo, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { bus } from "#client/api/bus.ts";
import type { InputFor } from "#client/api/call.ts";
import { serverTime } from "#client/api/server-time.ts";
import { jitter } from "#client/api/jitter.ts";
import { withCountdown, withResult, withSnapshot, withUpdate, type GameUpdate } from "#client/machines/game-update.ts";
import type { Countdown, Result } from "#shared/contract/events.ts";
import type { hotLottery, Lottery, lotteryList } from "#shared/contract/lottery.ts";

type Games = typeof hotLottery | typeof lotteryList;

/**
 * The server pushes each next round. A client without a push this long after the draw refetches, with jitter to spread
 * the load.
 */
const PATIENCE_MS = 2_000;
const SPREAD_MS = 1_000;

/**
 * Games that advance from round to round: the fetched answer merged with later pushes. Pushes arrive only for watched
 * games (`useWatched`); without them each draw triggers a refetch.
 */
export function useGames<E extends Games>(
  endpoint: E,
  input: Partial<InputFor<E>> = {},
  { enabled = true }: { enabled?: boolean } = {},
) {
  const query = useEndpoint<Games>(endpoint, input, { enabled });
  const updates = useGameUpdates();
  const { data, error, isPending, isError, refetch, dataUpdatedAt, errorUpdatedAt } = query;
  const games = useMemo(() => data?.map((game) => withUpdate(game, updates[game.key])), [data, updates]);
  useAskWhenLate(games ?? [], dataUpdatedAt + errorUpdatedAt, refetch);
  // With all fields of the query its readers would render whenever it is asked.
  return { games, isPending, isError, error, refetch };
}

function useGameUpdates(): Record<string, GameUpdate> {
  const [updates, setUpdates] = useState<Record<string, GameUpdate>>({});
  useEffect(() => {
    const update =
      <T extends { key: string }>(merge: (updates: GameUpdate, message: T) => GameUpdate) =>
      (message: T) =>
        setUpdates((known) => ({ ...known, [message.key]: merge(known[message.key] ?? {}, message) }));
    const countdown = update<Countdown>(withCountdown);
    const snapshot = update<Lottery>(withSnapshot);
    const result = update<Result>(withResult);
    bus.on("countdown", countdown);
    bus.on("snapshot", snapshot);
    bus.on("result", result);
    return () => {
      bus.off("countdown", countdown);
      bus.off("snapshot", snapshot);
      bus.off("result", result);
    };
  }, []);
  return updates;
}

/** Refetches when the earliest draw has passed without a push, and again until a new round arrives. */
function useAskWhenLate(games: readonly Lottery[], askedAt: number, ask: () => unknown): void {
  const drawsAtMs = Math.min(...games.map(({ draw_ms }) => draw_ms ?? Infinity));
  useEffect(() => {
    const now = serverTime.now();
    if (now === null || drawsAtMs === Infinity) return undefined;
    const wait = Math.max(0, drawsAtMs - now) + PATIENCE_MS + jitter(SPREAD_MS);
    const timer = setTimeout(() => void ask(), wait);
    return () => clearTimeout(timer);
  }, [drawsAtMs, askedAt, ask]);
}
