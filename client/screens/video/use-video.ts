import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { serverTime } from "#client/api/server-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { videoInfo, watchPlace } from "#shared/contract/video.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { usePrevious } from "#client/hooks/use-previous.ts";
import { useUser } from "#client/hooks/use-site.ts";

export type Video = ReplyOf<typeof videoInfo>;

/** How long before a signature expires its renewal starts, and the shortest interval between renewals. */
const EARLY_MS = MINUTE_MS;
const LEAST_MS = 10 * SECOND_MS;
/** The longest wait for the saved position; after it the video starts at its beginning. */
const PLACE_MS = 2 * SECOND_MS;

/** Milliseconds until the renewal, by the server's clock, which the expiry uses. */
function renewIn(video: Video | undefined): number | false {
  if (!video) return false;
  const now = serverTime.now() ?? video.expires_ms - 5 * MINUTE_MS;
  return Math.max(LEAST_MS, video.expires_ms - now - EARLY_MS);
}

/**
 * A video with a URL that stays valid while it is on the screen. A change of membership refetches it. `video` and
 * `placeMs` stay those of the previous video until both new ones are known.
 */
export function useVideo(id: string) {
  const info = useEndpoint(
    videoInfo,
    { id },
    {
      // A cached video is useless once its URL has expired.
      staleTime: 0,
      gcTime: MINUTE_MS,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => renewIn(state.data),
      refetchIntervalInBackground: true,
    },
  );
  const { data, isPlaceholderData, refetch, error } = info;
  const placeMs = usePlace(id);
  const isReady = data !== undefined && !isPlaceholderData && placeMs !== null;
  const shown = usePrevious(useTogether(data, placeMs), !isReady);
  useAccountStatus(data, refetch);
  return { ...shown, error, refetch };
}

/** The saved position; null while it is loading and the wait is not over. */
function usePlace(id: string): number | null {
  const place = useEndpoint(watchPlace, { id }, { staleTime: Infinity, gcTime: 0, retry: false });
  const [late, setLate] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setLate(id), PLACE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  if (place.data) return place.data.position_ms;
  return place.isPending && late !== id ? null : 0;
}

function useTogether(video: Video | undefined, placeMs: number | null) {
  return useMemo(() => (video ? { video, placeMs: placeMs ?? 0 } : undefined), [video, placeMs]);
}

/** Refetches the video, once per change, when the account status changes. */
function useAccountStatus(video: Video | undefined, refetch: () => Promise<unknown>): void {
  const { data: user } = useUser();
  const asked = useRef<number>(undefined);
  const [now, shown] = [user?.is_see, video?.is_see];
  useEffect(() => {
    if (now === undefined || shown === undefined) return;
    const isNew = asked.current !== now;
    asked.current = now === shown ? undefined : now;
    if (now !== shown && isNew) void refetch();
  }, [now, shown, refetch]);
}

/** The length of the part that the viewer may watch, in seconds. */
export const freeLength = ({ is_see, free_see_time, duration }: Pick<Video, "is_see" | "free_see_time" | "duration">) =>
  is_see === 1 ? duration : Math.min(free_see_time, duration);
