import type { Video } from "#client/hooks/use-video.ts";

/** Whoever left so near to the beginning or to the end begins anew, in seconds. */
const NEAR_S = 5;

/** Where a video begins: where it was left, if there is more to see of it from there. */
export function startOf({ is_see, free_see_time, duration }: Video, placeS: number): number {
  const endS = is_see === 1 ? duration - NEAR_S : Math.min(free_see_time, duration) - 1;
  return placeS >= NEAR_S && placeS < endS ? placeS : 0;
}
