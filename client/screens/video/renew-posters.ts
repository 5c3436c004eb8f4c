import { queryClient } from "#client/api/queries.ts";
import { videoList, videoMore, watching } from "#shared/contract/video.ts";

/**
 * The address of a poster is good for some minutes, a list stands for as long as somebody looks at it: asks anew for
 * what is on the screen, at once for all posters that could not be shown. It ends by itself, since an address that is
 * no other is not tried again.
 */
export function renewPosters(): void {
  if (!navigator.onLine) return;
  for (const { path } of [videoList, videoMore, watching]) {
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false });
  }
}
