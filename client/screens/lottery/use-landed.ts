import { useEffect, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { prefersStill } from "#client/app/motion.ts";
import type { Result } from "#shared/contract/events.ts";

/** From the throw of the dice until the last of them lies (`SPREAD_MS` of components/Dice.tsx, and `--animate-roll`). */
export const FLIGHT_MS = 970;

/**
 * Whether the dice of a draw lie: once they were thrown, and at once where motion is reduced. Until then the table tells
 * nothing of what they show.
 */
export function useLanded(result: Result | null): boolean {
  const expect = result?.expect ?? null;
  const [landed, land] = useState<string | null>(null);
  useEffect(() => {
    if (expect === null) return undefined;
    const timer = setTimeout(() => land(expect), FLIGHT_MS);
    return () => clearTimeout(timer);
  }, [expect]);
  return landed === expect || prefersStill();
}

/** The draw of a game that was pushed last. */
export function usePushedResult(key: string): Result | null {
  const [result, take] = useState<Result | null>(null);
  useEffect(() => {
    const onResult = (pushed: Result) => {
      if (pushed.key === key) take(pushed);
    };
    bus.on("result", onResult);
    return () => bus.off("result", onResult);
  }, [key]);
  return result;
}
