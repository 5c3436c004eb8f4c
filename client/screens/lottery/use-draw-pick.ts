import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { fairRound } from "#shared/contract/fair.ts";
import { lotteryList } from "#shared/contract/lottery.ts";

/** A game and a round, as in the address. */
export interface DrawPick {
  key: string;
  expect: string;
}

/** The draw to check: the one in the address, or else the game's last draw when the screen opened. */
export function useDrawPick() {
  const [params, setParams] = useSearchParams();
  const queryClient = useQueryClient();
  const { data: games, error, refetch } = useEndpoint(lotteryList);
  const [latest, setLatest] = useState<DrawPick | null>(null);
  const key = params.get("key") ?? "";
  const expect = params.get("expect") ?? "";
  const drawn = games?.find((game) => game.now_expect !== null && (!key || game.key === key));
  // Set only once: the next draw must not replace the one being read.
  if (!latest && drawn?.now_expect) setLatest({ key: drawn.key, expect: drawn.now_expect });
  const picked = params.has("key") && params.has("expect") ? { key, expect } : latest;
  return {
    games,
    gamesError: games ? null : error,
    retryGames: () => void refetch(),
    picked,
    /** Initial values of the form fields. */
    offered: picked ?? { key: key || (games?.[0]?.key ?? ""), expect },
    pick: (wanted: DrawPick) => {
      setParams({ ...wanted }, { replace: true });
      const isAgain = wanted.key === picked?.key && wanted.expect === picked.expect;
      if (isAgain) void queryClient.invalidateQueries({ queryKey: [fairRound.path] });
    },
  };
}
