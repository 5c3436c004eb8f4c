/** A quality level of a stream; `place` is its index in the stream's own list. */
export interface Quality {
  place: number;
  height: number;
}

export interface StreamOptions {
  /** The signed URL of the playlist. */
  url: string;
  /** The start position, in seconds. */
  startS: number;
  /** Called once per opening, when the playlist has loaded. */
  onQualities(qualities: Quality[]): void;
  /**
   * The stream has stopped. If `canGoOn`, the connection was lost or the signature has expired; otherwise it must be
   * reopened.
   */
  onLost(canGoOn: boolean): void;
}

/** A video that loads segment by segment while it plays. */
export interface Stream {
  /** Requests further segments with this URL's signature; playback continues undisturbed. */
  renew(url: string): void;
  /** After a loss: requests the missing segments and keeps the buffer. */
  goOn(): void;
  /** Null selects the quality by bandwidth. */
  choose(quality: Quality | null): void;
  close(): void;
}
