import { useEffect } from "react";
import { firstScreenReady } from "#client/app/first-screen.ts";

/** Watches games on the live line for as long as they are on the screen. The screen does not wait for the line. */
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
    // Without the line the rounds are asked for instead.
    watch().catch(() => undefined);
    return () => {
      isOver = true;
      stops.forEach((stop) => stop());
    };
  }, [wanted]);
}
