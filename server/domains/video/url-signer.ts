import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keys } from "#server/config/keys.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** How long an address plays. */
export const PASS_MS = 5 * MINUTE_MS;

/** Who may play what, and until when: what an address of a video is signed for. */
export interface Pass {
  /** 0 for a guest, who has none. */
  sessionId: number;
  videoId: number;
  expiresMs: number;
}

/** Signs addresses and reads them again. */
export class UrlSigner {
  readonly #key: Buffer;

  constructor(keys: Pick<Keys, "derive">) {
    this.#key = keys.derive("video-pass");
  }

  /** As a part of a path; the video itself stands behind it. */
  write(pass: Pass): string {
    return `${pass.sessionId}.${pass.expiresMs}.${this.#sign(pass).toString("base64url")}`;
  }

  /** The address below which everything of the video lies for whoever it is signed for. */
  folder(pass: Pass): string {
    return `/media/v/${this.write(pass)}/${pass.videoId}`;
  }

  /** Null for what was not signed here for this video, letter by letter, or has expired. */
  read(word: string, videoId: number, now: number): Pass | null {
    const parts = /^(0|[1-9]\d{0,14})\.([1-9]\d{0,15})\.([\w-]{43})$/.exec(word);
    if (!parts) return null;
    const [sessionId, expiresMs] = [Number(parts[1]), Number(parts[2])];
    const pass = { sessionId, videoId, expiresMs };
    const [expected, actual] = [this.#sign(pass), Buffer.from(parts[3]!, "base64url")];
    const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected);
    // The last letter has bits to spare: of those that mean the same, one is right.
    return isSigned && actual.toString("base64url") === parts[3] && now < expiresMs ? pass : null;
  }

  #sign({ sessionId, videoId, expiresMs }: Pass): Buffer {
    return createHmac("sha256", this.#key).update(`${sessionId}.${videoId}.${expiresMs}`).digest();
  }
}
