import { openStream } from "./open-stream.ts";
import type { Quality, Stream } from "./stream.ts";

/** What may be fetched: an address, and whether it plays the whole video or its beginning. */
export interface Source {
  url: string;
  isWhole: boolean;
}

export interface PlaybackOptions {
  /** Where it begins, in seconds. */
  startS: number;
  onQualities(qualities: Quality[]): void;
  /** Nothing more is there to be seen, and asking for another address did not mend it. */
  onLost(isLost: boolean): void;
  /** Asks for another address, which comes through `show`; whether there is one. */
  renew(): Promise<boolean>;
}

/** So often it is tried to go on by itself without a moment having been seen in between. */
const TRIES = 2;

/** Alive; or lost, and to be asked again or opened anew once there is another address. */
type Health = "alive" | "goOn" | "openAnew";

/**
 * Feeds an element with one video, from the first address to the last: a new one only renews the signature, unless more
 * or less of the video may be seen. Then it is opened anew at the same place. A line that is lost is no matter until
 * what was fetched before has been seen.
 */
export class Playback {
  readonly #element: HTMLVideoElement;
  readonly #options: PlaybackOptions;
  readonly #over = new AbortController();
  #source: Source | null = null;
  #stream: Stream | null = null;
  #health: Health = "alive";
  /** It is to play as soon as there is something to play. */
  #isWanted = false;
  #placeS: number;
  #failures = 0;
  /** Which opening is the last. */
  #opening = 0;

  constructor(element: HTMLVideoElement, options: PlaybackOptions) {
    this.#element = element;
    this.#options = options;
    this.#placeS = options.startS;
    const { signal } = this.#over;
    element.addEventListener("timeupdate", () => this.#move(), { signal });
    element.addEventListener("waiting", () => this.#health !== "alive" && this.#mend(), { signal });
    // Whatever is opened next plays as fast as this.
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

  /** Plays, now or once the stream is open. A browser that wants a tap first is not asked twice. */
  play(): void {
    this.#isWanted = this.#stream === null;
    if (this.#stream) void this.#element.play().catch(() => undefined);
  }

  choose(quality: Quality | null): void {
    this.#stream?.choose(quality);
  }

  /** Somebody wants it to go on, or the line is back. */
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
    // While nothing is there, the element is at 0, and the viewer is not.
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

  /** As long as there is something to see, nobody needs to know. */
  #tell(): void {
    const isDry = this.#element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
    if (isDry && this.#health !== "alive" && !this.#over.signal.aborted) this.#options.onLost(true);
  }
}
