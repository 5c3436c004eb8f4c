import type { Deps } from "#server/app/deps.ts";

/** A random order number. It cannot be guessed, so it may be part of a URL. */
export const newOrderNo = ({ random }: Pick<Deps, "random">): string =>
  `dep_${Buffer.from(random(16)).toString("base64url")}`;
