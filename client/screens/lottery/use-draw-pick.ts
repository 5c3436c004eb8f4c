import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { fairRound } from "#shared/contract/fair.ts";
import { lotteryList } from "#shared/contract/lottery.ts";

/** A round of a game, as the address names it. */
export interface DrawPick {
  key: string;
  expect: string;
}

/** The draw to be checked: the one in the address, or else the last one of the game when the screen opened. */
export function useDrawPick() {
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const { data: games, error, refetch } = useEndpoint(lotteryList);
  const [latest, setLatest] = useState<DrawPick | null>(null);
  const key = params.get("key") ?? "";
  const expect = params.get("expect") ?? "";
  const drawn = games?.find((game) => game.now_expect !== null && (!key || game.key === key));
  // Kept as it was first seen: the next draw must not pull away what is being read.
  if (!latest && drawn?.now_expect) setLatest({ key: drawn.key, expect: drawn.now_expect });
  const picked = params.has("key") && params.has("expect") ? { key, expect } : latest;
  return {
    games,
    gamesError: games ? null : error,
    retryGames: () => void refetch(),
    picked,
    /** What the fields begin with. */
    offered: picked ?? { key: key || (games?.[0]?.key ?? ""), expect },
    pick: (wanted: DrawPick) => {
      setParams({ ...wanted }, { replace: true });
      const isAgain = wanted.key === picked?.key && wanted.expect === picked.expect;
      if (isAgain) void queryClient.invalidateQueries({ queryKey: [fairRound.path] });
    },
  };
}
