import type { Deps } from "#server/app/deps.ts";

/** Counts what was heard of videos and their categories: a stamp that other commits leave alone. */
export class VideoChanges {
  #heard = 0;

  constructor({ bus }: Pick<Deps, "bus">) {
    bus.on("videos.changed", () => {
      this.#heard++;
    });
  }

  stamp(): number {
    return this.#heard;
  }
}
