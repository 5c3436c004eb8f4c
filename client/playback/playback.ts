import { openStream } from "./open-stream.ts";
import type { Quality, Stream } from "./stream.ts";

/** A stream's URL, and whether it plays the whole video or only its preview. */
export interface Source {
  url: string;
  isWhole: boolean;
}

interface PlaybackOptions {
  /** The start position, in seconds. */
  startS: number;
  onQualities(qualities: Quality[]): void;
  /** Called with true when the buffer is empty and renewing the URL did not help. */
  onLost(isLost: boolean): void;
  /** Requests a new URL, which arrives through `show`; resolves to whether it succeeded. */
  renew(): Promise<boolean>;
}

/** The number of automatic recoveries without any playback in between. */
const TRIES = 2;

/** Alive; or lost, and waiting for a new URL to resume or to reopen the stream. */
type Health = "alive" | "goOn" | "openAnew";

/**
 * Feeds an element with one video across all its URLs. A new URL only renews the signature. If it grants more or less
 * of the video, the stream reopens at the same position. A lost connection does not show until the buffer is empty.
 */
export class Playback {
  readonly #element: HTMLVideoElement;
  readonly #options: PlaybackOptions;
  readonly #over = new AbortController();
  #source: Source | null = null;
  #stream: Stream | null = null;
  #health: Health = "alive";
  /** Play as soon as the stream is open. */
  #isWanted = false;
  #placeS: number;
  #failures = 0;
  /** The number of the latest opening. */
  #opening = 0;

  constructor(element: HTMLVideoElement, options: PlaybackOptions) {
    this.#element = element;
    this.#options = options;
    this.#placeS = options.startS;
    const { signal } = this.#over;
    element.addEventListener("timeupdate", () => this.#move(), { signal });
    element.addEventListener("waiting", () => this.#health !== "alive" && this.#mend(), { signal });
    // The next stream keeps the playback speed.
    element.addEventListener("ratechange", () => (element.defaultPlaybackRate = element.playbackRate), { signal });
  }

  show(source: Source): void {
    const isSame = this.#source?.isWhole === source.isWhole;
    this.#source = source;
    if (!isSame || this.#health === "openAnew") return void this.#open();
    this.#stream?.renew(source.url);
    if (this.#health === "goOn") this.#stream?.goOn();
    this.#revive();
  }

  /** Plays now or once the stream is open. If the browser demands a tap first, this does not retry. */
  play(): void {
    this.#isWanted = this.#stream === null;
    if (this.#stream) void this.#element.play().catch(() => undefined);
  }

  choose(quality: Quality | null): void {
    this.#stream?.choose(quality);
  }

  /** Retries after a tap, or when the connection is back. */
  retry(): void {
    if (this.#health === "alive") return;
    this.#failures = 0;
    this.#options.onLost(false);
    this.#mend();
  }

  close(): void {
    this.#over.abort();
    this.#opening++;
    this.#stream?.close();
    this.#stream = null;
  }

  #move(): void {
    const { readyState, currentTime, paused } = this.#element;
    // Without data, `currentTime` is 0, not the viewer's position.
    if (!this.#stream || readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#placeS = currentTime;
    if (!paused) this.#failures = 0;
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening;
    const { url } = this.#source!;
    this.#isWanted ||= this.#stream !== null && !this.#element.paused;
    this.#stream?.close();
    this.#stream = null;
    this.#revive();
    const { onQualities } = this.#options;
    const onLost = (canGoOn: boolean) => opening === this.#opening && this.#lose(canGoOn ? "goOn" : "openAnew");
    try {
      const stream = await openStream(this.#element, { url, startS: this.#placeS, onQualities, onLost });
      if (opening !== this.#opening) return stream.close();
      this.#stream = stream;
      if (this.#source!.url !== url) stream.renew(this.#source!.url);
      if (this.#isWanted) this.play();
    } catch {
      this.#lose("openAnew");
    }
  }

  #revive(): void {
    this.#health = "alive";
    this.#options.onLost(false);
  }

  #lose(how: Health): void {
    this.#health = how;
    this.#mend();
  }

  #mend(): void {
    if (this.#failures++ >= TRIES) this.#tell();
    else void this.#options.renew().then((isRenewed) => isRenewed || this.#tell());
  }

  /** Reports the loss only once the buffer is empty. */
  #tell(): void {
    const isDry = this.#element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
    if (isDry && this.#health !== "alive" && !this.#over.signal.aborted) this.#options.onLost(true);
  }
}
