/** A size in which a stream may be watched; the place is that in the stream's own list. */
export interface Quality {
  place: number;
  height: number;
}

export interface StreamOptions {
  /** Of the playlist, signed. */
  url: string;
  /** Where it begins, in seconds. */
  startS: number;
  /** Heard once, when the playlist is known: a new list each time it is opened. */
  onQualities(qualities: Quality[]): void;
  /** It does not go on by itself: the line is away, or the signature no longer good. Else it must be opened anew. */
  onLost(canGoOn: boolean): void;
}

/** A video that is being fetched piece by piece, while it is watched. */
export interface Stream {
  /** From now on pieces are asked for with the signature of this address; what plays is not touched. */
  renew(url: string): void;
  /** After it was lost: asks again for what is missing, and keeps what is there. */
  goOn(): void;
  /** Null for whatever the line can carry. */
  choose(quality: Quality | null): void;
  close(): void;
}
