import type { Play } from "../play.ts";

/** A log that was made anew contradicts every head that somebody kept. A witness signs no shorter one either. */
export const FORKED: Play["now"] = {
  app: /^found: fork$/m,
  "two-members": /^differs$/,
  witness: /^(FORK: |refuses: the log shows \d+ leaves, and had shown )/,
};
