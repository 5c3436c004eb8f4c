import { createCipheriv, createECDH, createHmac, createPrivateKey, hkdfSync, sign, type ECDH } from "node:crypto";
import type { MasterKey } from "#server/config/keys.ts";
import { HOUR_MS, toSeconds } from "#shared/time.ts";

const CURVE = "prime256v1";
const RECORD = 4_096;
/** Contents are padded to a multiple of this many bytes, so that their length tells little. */
const PADDED = 512;
/** A token is good for this long; push services allow a day. */
const TOKEN_MS = 12 * HOUR_MS;

/** A key pair from random bytes. Of 2³² scalars one is none of the curve: then the next is asked for. */
function pairOf(next: () => Uint8Array): ECDH {
  const pair = createECDH(CURVE);
  for (;;) {
    try {
      pair.setPrivateKey(next());
      return pair;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_CRYPTO_INVALID_KEYTYPE") throw error;
    }
  }
}

/** Where a browser takes messages, and its keys, base64url. */
interface Receiver {
  p256dh: string;
  auth: string;
}

/** Encrypts a message for one browser, in one record (RFC 8291, RFC 8188). */
export function encryptPush(
  plain: Uint8Array,
  { p256dh, auth }: Receiver,
  random: (bytes: number) => Uint8Array,
): Buffer {
  const theirs = Buffer.from(p256dh, "base64url");
  const pair = pairOf(() => random(32));
  const ours = pair.getPublicKey();
  const derive = (secret: Uint8Array, salt: Uint8Array, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const secret = derive(pair.computeSecret(theirs), Buffer.from(auth, "base64url"), about, 32);
  const salt = random(16);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const padding = Buffer.alloc(PADDED - ((plain.length + 1) % PADDED));
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // A 2 ends the last record; zeros follow.
  const body = [cipher.update(plain), cipher.update(Buffer.of(2)), cipher.update(padding), cipher.final()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD);
  return Buffer.concat([salt, size, Buffer.of(ours.length), ours, ...body, cipher.getAuthTag()]);
}

/** Who the site is to push services (RFC 8292): a key pair derived from the master key. */
export class Vapid {
  /** The public key, base64url. */
  readonly publicKey: string;
  readonly #key: ReturnType<typeof createPrivateKey>;
  readonly #topics: Buffer;
  readonly #subject: string | undefined;

  /** Push services may write to the operator at `publicUrl`. */
  constructor(key: MasterKey, publicUrl: string) {
    let count = 0;
    const pair = pairOf(() => key.derive(`web push ${count++}`));
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
    // Node leaves zeros out at the beginning.
    const d = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
    this.#key = createPrivateKey({ key: { kty: "EC", crv: "P-256", x: x!, y: y!, d }, format: "jwk" });
    this.publicKey = point.toString("base64url");
    this.#topics = key.derive("web push topics");
    this.#subject = publicUrl.startsWith("https:") ? new URL(publicUrl).origin : undefined;
  }

  /** The header that signs a request to a push service. */
  header(service: URL, now: number): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { aud: service.origin, exp: toSeconds(now + TOKEN_MS), sub: this.#subject };
    const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
    const signature = sign("sha256", Buffer.from(signed), { key: this.#key, dsaEncoding: "ieee-p1363" });
    return `vapid t=${signed}.${signature.toString("base64url")}, k=${this.publicKey}`;
  }

  /** A name under which a later message replaces an earlier one at the push service, which learns nothing from it. */
  topic(tag: string): string {
    return createHmac("sha256", this.#topics).update(tag).digest("base64url").slice(0, 32);
  }
}
