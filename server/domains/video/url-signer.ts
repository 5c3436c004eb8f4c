import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { dayOf, MINUTE_MS } from "#shared/time.ts";

/** How long a signed address is valid. */
export const PASS_MS = 5 * MINUTE_MS;

const passKey = perKey((key) => key.derive("video-pass"));

/** The signed facts of a video's address: who may play what, and until when. */
interface Pass {
  /** 0 for a guest, who has none. */
  sessionId: number;
  videoId: number;
  expiresMs: number;
}

/** Signs addresses and verifies them. */
export class UrlSigner {
  readonly #keys: Pick<Keys, "at" | "ofDay">;

  constructor(keys: Pick<Keys, "at" | "ofDay">) {
    this.#keys = keys;
  }

  /** The signature as a path segment; the video's id follows it. */
  write(pass: Pass): string {
    const signature = sign(this.#keys.ofDay(dayOf(pass.expiresMs - PASS_MS)), pass);
    return `${pass.sessionId}.${pass.expiresMs}.${signature.toString("base64url")}`;
  }

  /** The address of the video's folder for this viewer. */
  folder(pass: Pass): string {
    return `/media/v/${this.write(pass)}/${pass.videoId}`;
  }

  /** Null for a signature that is not ours, not for this video, or expired. */
  read(word: string, videoId: number, now: number): Pass | null {
    const parts = /^(0|[1-9]\d{0,14})\.([1-9]\d{0,15})\.([\w-]{43})$/.exec(word);
    if (!parts) return null;
    const [sessionId, expiresMs] = [Number(parts[1]), Number(parts[2])];
    const pass = { sessionId, videoId, expiresMs };
    const key = this.#keys.at(expiresMs - PASS_MS);
    if (!key) return null;
    const [expected, actual] = [sign(key, pass), Buffer.from(parts[3]!, "base64url")];
    const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected);
    // The last base64 letter has spare bits: of all spellings of the same bytes only one is accepted.
    return isSigned && actual.toString("base64url") === parts[3] && now < expiresMs ? pass : null;
  }
}

/** By the master key of the time when it is written. */
const sign = (key: MasterKey, { sessionId, videoId, expiresMs }: Pass): Buffer =>
  createHmac("sha256", passKey(key)).update(`${sessionId}.${videoId}.${expiresMs}`).digest();
