import { Hls } from "hls.js/light";
import type { Stream, StreamOptions } from "./stream.ts";

/** Seconds buffered ahead and behind: enough for a tunnel, small enough for a phone. */
const AHEAD_S = 30;
const BEHIND_S = 30;

/** Beyond these limits the connection counts as lost, and a new URL is requested. */
const PATIENCE = {
  default: {
    maxTimeToFirstByteMs: 8_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2_000 },
  },
};

const LOADING = {
  maxBufferLength: AHEAD_S,
  maxMaxBufferLength: AHEAD_S,
  backBufferLength: BEHIND_S,
  capLevelToPlayerSize: true,
  // The first segment loads while the element is still being prepared.
  startFragPrefetch: true,
  manifestLoadPolicy: PATIENCE,
  playlistLoadPolicy: PATIENCE,
  fragLoadPolicy: PATIENCE,
  // The segments are already MP4, so no worker needs to transmux them.
  enableWorker: false,
};

/** The answer to a signature that has expired. */
const REFUSED = 403;
/** How often a segment that did not come is requested again, and after how long the first time. */
const TRIES = 2;
const WAIT_MS = 500;
/** A segment that did not come. */
const MISSED: ReadonlySet<string> = new Set([Hls.ErrorDetails.FRAG_LOAD_ERROR, Hls.ErrorDetails.FRAG_LOAD_TIMEOUT]);

/** The stream through Media Source Extensions. */
export function openStream(video: HTMLVideoElement, { url, startS, onQualities, onLost }: StreamOptions): Stream {
  let signature = signatureOf(url);
  const hls = new Hls({
    startPosition: startS,
    ...LOADING,
    xhrSetup: (request, piece) => request.open("GET", signedWith(piece, signature), true),
  });
  let isMended = false;
  const loading = new Loading(hls, video, startS);
  hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) =>
    onQualities(levels.map(({ height }, place) => ({ place, height }))),
  );
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details, response }) => {
    if (MISSED.has(details)) return loading.again(response?.code) ? undefined : onLost(true);
    if (!fatal) return undefined;
    // One decoder error is recovered at the same position.
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !isMended) {
      isMended = true;
      return hls.recoverMediaError();
    }
    return onLost(type === Hls.ErrorTypes.NETWORK_ERROR);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    renew(next) {
      signature = signatureOf(next);
    },
    goOn: () => loading.goOn(),
    choose(quality) {
      hls.nextLevel = quality?.place ?? -1;
    },
    close() {
      loading.stop();
      hls.destroy();
    },
  };
}

/**
 * Requests a segment that did not come by loading anew, from the same place. hls.js 1.7 would retry by itself, and stops for
 * good if it retries the first segment beside the init segment.
 */
class Loading {
  readonly #hls: Hls;
  readonly #video: HTMLVideoElement;
  readonly #startS: number;
  #tries = 0;
  #timer = 0;

  constructor(hls: Hls, video: HTMLVideoElement, startS: number) {
    this.#hls = hls;
    this.#video = video;
    this.#startS = startS;
    hls.on(Hls.Events.FRAG_BUFFERED, () => (this.#tries = 0));
  }

  /** After a segment that did not come. False, and stopped, where another try does not help. */
  again(status: number | undefined): boolean {
    this.#hls.stopLoad();
    if (status === REFUSED || this.#tries >= TRIES) return false;
    this.#timer = window.setTimeout(() => this.#load(), WAIT_MS * 2 ** this.#tries++);
    return true;
  }

  goOn(): void {
    this.stop();
    this.#tries = 0;
    this.#load();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #load(): void {
    this.#hls.startLoad(this.#video.played.length > 0 ? -1 : this.#startS);
  }
}

const SIGNATURE = /(?<=\/media\/v\/)[^/]+/;

const signatureOf = (url: string): string => SIGNATURE.exec(url)?.[0] ?? "";

/** The same segment's URL with another signature. */
const signedWith = (url: string, signature: string): string => url.replace(SIGNATURE, signature);
