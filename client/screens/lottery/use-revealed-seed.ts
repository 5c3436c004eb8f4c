import { useEffect, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { whenIdle } from "#client/app/idle.ts";
import { fairRound } from "#shared/contract/fair.ts";
import type { DrawnRow } from "./use-own-rounds.ts";

/** The longest wait for the table to have nothing to do, in ms. */
const IDLE_MS = 4_000;

/**
 * The seed that the house revealed for a draw; undefined until it is known. One that was not pushed with its draw is asked
 * for once the table stands, by the call that the check makes.
 */
export function useRevealedSeed(key: string, draw: DrawnRow | null): string | undefined {
  const [isStanding, stand] = useState(false);
  useEffect(() => whenIdle(() => stand(true), IDLE_MS), []);
  const isUnknown = draw !== null && draw.seed === undefined;
  const input = { key, expect: draw?.expect ?? "" };
  const { data } = useEndpoint(fairRound, input, { enabled: isStanding && isUnknown, staleTime: Infinity });
  return draw?.seed ?? data?.seed ?? undefined;
}
