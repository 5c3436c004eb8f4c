import { UNSAFE_createBrowserHistory } from "react-router";

/** The browser's history. Going to where one already is, or is about to be, does nothing: two taps leave one place. */
export const browserHistory = UNSAFE_createBrowserHistory({ v5Compat: true });

const { push } = browserHistory;
browserHistory.push = (to, state) => {
  const { pathname, search, hash } = window.location;
  if (browserHistory.createHref(to) !== `${pathname}${search}${hash}`) push(to, state);
};
