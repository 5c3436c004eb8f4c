import type { Deps } from "#server/app/deps.ts";

/** Counts what was heard of videos and their categories: a stamp that other commits leave alone. */
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
