import type { Deps } from "#server/app/deps.ts";

/** What an order is known by; nobody can guess it, so it may stand in an address. */
export const newOrderNo = ({ random }: Pick<Deps, "random">): string =>
  `dep_${Buffer.from(random(16)).toString("base64url")}`;
