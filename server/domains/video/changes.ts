import type { Deps } from "#server/app/deps.ts";

/** Counts the announced changes of videos and categories: a cache stamp that other commits leave alone. */
export class VideoChanges {
  #changes = 0;

  constructor({ bus }: Pick<Deps, "bus">) {
    bus.on("videos.changed", () => {
      this.#changes++;
    });
  }

  stamp(): number {
    return this.#changes;
  }
}
