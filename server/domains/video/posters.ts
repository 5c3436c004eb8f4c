import type { Deps } from "#server/app/deps.ts";
import { pictureUrl } from "#shared/picture.ts";
import type { ShownVideo } from "#shared/video.ts";
import { PASS_MS, UrlSigner } from "./url-signer.ts";

/** For this long the same caller gets the same address, so that browsers can cache. */
const SAME_MS = PASS_MS / 2;

/** Signs the addresses of posters, which lie behind the gate like every file of a video. */
export class Posters {
  readonly #passes: UrlSigner;
  readonly #clock: Deps["clock"];

  constructor({ keys, clock }: Pick<Deps, "keys" | "clock">) {
    this.#passes = new UrlSigner(keys);
    this.#clock = clock;
  }

  /** Valid for two and a half to five minutes; empty for a video without a poster. */
  addressOf({ id, poster }: Pick<ShownVideo, "id" | "poster">, sessionId: number): string {
    if (!poster) return "";
    const expiresMs = (Math.floor(this.#clock.now() / SAME_MS) + 2) * SAME_MS;
    return `${this.#passes.folder({ sessionId, videoId: id, expiresMs })}/${pictureUrl(poster)}`;
  }
}
