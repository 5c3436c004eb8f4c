import { UNSAFE_createBrowserHistory } from "react-router";
import { showGoing } from "./going.ts";
import { leaveLayers } from "./layers.ts";

/**
 * The browser's history, in which a push to the current address does nothing: two quick taps leave one entry.
 * The router decides between push and replace by the rendered location, which lags behind the second tap.
 * Only the history itself sees the address at once. React Router exports no other way to make one, hence `UNSAFE_`.
 */
export const browserHistory = UNSAFE_createBrowserHistory({ v5Compat: true });

const { push, replace, go } = browserHistory;

/** The address of a navigation that waits for a sheet's history entry to go. */
let coming: string | null = null;

/** Where the app is, or is about to be. */
export const currentAddress = (): string => {
  const { pathname, search, hash } = window.location;
  return coming ?? `${pathname}${search}${hash}`;
};

browserHistory.push = (to, state) => {
  if (browserHistory.createHref(to) !== currentAddress()) leaveFor(push, to, state);
};
browserHistory.replace = (to, state) => leaveFor(replace, to, state);
browserHistory.go = (steps) => leaveLayers(() => go(steps));

function leaveFor(move: typeof push, to: Parameters<typeof push>[0], state: unknown): void {
  coming = browserHistory.createHref(to);
  showGoing();
  leaveLayers(() => {
    coming = null;
    move(to, state);
  });
}
