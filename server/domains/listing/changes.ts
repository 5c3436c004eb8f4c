import type { Deps } from "#server/app/deps.ts";

/** Counts what was heard of listings, cities and comments: a stamp that other commits leave alone. */
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
