import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "#client/api/call.ts";
import { readStored } from "#client/storage/local-storage.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { ownVideos, setWatchPlace, watchPlace, watching } from "#shared/contract/video.ts";
import { SECOND_MS } from "#shared/time.ts";

/** How often the position is saved during play. Pausing, ending, hiding the page and leaving save it too. */
const SAVE_EVERY_MS = 30 * SECOND_MS;
/** A position this near the last saved one is not saved again. */
const SAME_MS = SECOND_MS;

/** Saves the watch position of a video on the server. */
export function useWatchPlace(element: HTMLVideoElement | null, id: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!element) return undefined;
    let savedMs = 0;
    let placeMs = 0;
    let isBegun = false;
    // Another member may have logged in by the time of saving.
    const token = readStored("token");
    const send = () => {
      if (!isBegun || Math.abs(placeMs - savedMs) < SAME_MS || readStored("token") !== token) return;
      savedMs = placeMs;
      queryClient.removeQueries({ queryKey: [watchPlace.path, { id }], type: "inactive" });
      // Nothing waits for the save; the next one makes up for a lost one.
      void call(setWatchPlace, { id, position_ms: String(placeMs) }, { key: newIdempotencyKey() })
        .then(() => [watching, ownVideos].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
        .catch(() => undefined);
    };
    const over = new AbortController();
    const { signal } = over;
    element.addEventListener("playing", () => (isBegun = true), { signal });
    element.addEventListener("pause", send, { signal });
    element.addEventListener("ended", send, { signal });
    element.addEventListener(
      "timeupdate",
      () => {
        if (!isBegun || element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
        placeMs = Math.round(element.currentTime * SECOND_MS);
        if (Math.abs(placeMs - savedMs) >= SAVE_EVERY_MS) send();
      },
      { signal },
    );
    document.addEventListener("visibilitychange", () => document.hidden && send(), { signal });
    return () => {
      over.abort();
      send();
    };
  }, [element, id, queryClient]);
}
