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

/** A new signature is asked for so long before the old one ends, and never more often than this. */
const EARLY_MS = MINUTE_MS;
const LEAST_MS = 10 * SECOND_MS;
/** Where it was left is waited for no longer: it begins at its beginning then. */
const PLACE_MS = 2 * SECOND_MS;

/** By the server's clock, which the signature ends by. */
function renewIn(video: Video | undefined): number | false {
  if (!video) return false;
  const now = serverTime.now() ?? video.expires_ms - 5 * MINUTE_MS;
  return Math.max(LEAST_MS, video.expires_ms - now - EARLY_MS);
}

/**
 * A video with an address that stays good while it is on the screen; asked for anew when a membership comes or goes.
 * `video` and `placeMs` are those of the video before until both are known.
 */
export function useVideo(id: string) {
  const info = useEndpoint(
    videoInfo,
    { id },
    {
      // Once an address has ended there is nothing to show with it.
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

/** Where it was left; null while that is not known and worth waiting for. */
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

/** What may be seen follows the membership; each change asks once. */
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
