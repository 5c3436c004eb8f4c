import { useEffect } from "react";
import { firstScreenReady } from "#client/app/first-screen.ts";

/**
 * Subscribes to games on the live connection while they are on the screen. The screen does not wait for the connection.
 */
export function useWatched(keys: readonly string[]): void {
  const wanted = keys.join(" ");
  useEffect(() => {
    let isOver = false;
    let stops: (() => void)[] = [];
    const watch = async () => {
      await firstScreenReady;
      const { watchGame } = await import("#client/app/live.ts");
      if (!isOver) stops = wanted.split(" ").filter(Boolean).map(watchGame);
    };
    // Without the live connection the rounds are refetched instead.
    watch().catch(() => undefined);
    return () => {
      isOver = true;
      stops.forEach((stop) => stop());
    };
  }, [wanted]);
}
