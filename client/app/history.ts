import { UNSAFE_createBrowserHistory } from "react-router";

/**
 * The browser's history, in which a push to the current address does nothing: two quick taps leave one entry.
 * The router decides between push and replace by the rendered location, which lags behind the second tap.
 * Only the history itself sees the address at once. React Router exports no other way to make one, hence `UNSAFE_`.
 */
export const browserHistory = UNSAFE_createBrowserHistory({ v5Compat: true });

const { push } = browserHistory;
browserHistory.push = (to, state) => {
  const { pathname, search, hash } = window.location;
  if (browserHistory.createHref(to) !== `${pathname}${search}${hash}`) push(to, state);
};
