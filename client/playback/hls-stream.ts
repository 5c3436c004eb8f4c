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
    xhrSetup: (request, piece) => request.open("GET", signedWith(piece, signature), true),
  });
  let isMended = false;
  let [tries, timer] = [0, 0];
  const load = () => {
    clearTimeout(timer);
    hls.startLoad(video.played.length > 0 ? -1 : startS);
  };
  hls.on(Hls.Events.FRAG_BUFFERED, () => (tries = 0));
  hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) =>
    onQualities(levels.map(({ height }, place) => ({ place, height }))),
  );
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details, response }) => {
    // hls.js 1.7 stops for good if it retries the first piece beside the init segment. So it begins anew instead.
    if (MISSED.has(details)) {
      hls.stopLoad();
      if (response?.code === REFUSED || tries >= TRIES) return onLost(true);
      timer = window.setTimeout(load, WAIT_MS * 2 ** tries++);
      return undefined;
    }
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
    goOn() {
      tries = 0;
      load();
    },
    choose(quality) {
      hls.nextLevel = quality?.place ?? -1;
    },
    close() {
      clearTimeout(timer);
      hls.destroy();
    },
  };
}

const SIGNATURE = /(?<=\/media\/v\/)[^/]+/;

const signatureOf = (url: string): string => SIGNATURE.exec(url)?.[0] ?? "";

/** The same segment's URL with another signature. */
const signedWith = (url: string, signature: string): string => url.replace(SIGNATURE, signature);
