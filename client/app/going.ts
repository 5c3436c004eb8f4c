/** The page shows by this attribute that another screen is on its way (`app.css`). */
const MARK = "data-going";

/** A tap is seen at once, however long its screen takes to come. */
export const showGoing = (): void => document.documentElement.setAttribute(MARK, "");

/** The screen stands. */
export const hideGoing = (): void => document.documentElement.removeAttribute(MARK);
