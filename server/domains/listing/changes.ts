import type { Deps } from "#server/app/deps.ts";

/** Counts the announced changes of listings, cities and comments: a cache stamp that other commits leave alone. */
export class ListingChanges {
  #changes = 0;

  constructor({ bus }: Pick<Deps, "bus">) {
    bus.on("listings.changed", () => {
      this.#changes++;
    });
  }

  stamp(): number {
    return this.#changes;
  }
}
