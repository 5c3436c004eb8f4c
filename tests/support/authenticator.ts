import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";

type Value = string | number | Uint8Array | Value[] | Map<string | number, Value>;

/** CBOR (RFC 8949), as far as authenticators need it. */
function cbor(value: Value): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** What a dishonest page or authenticator says instead. */
export interface Says {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** Nobody verified the user, or nobody was there. */
  unverified?: boolean;
  absent?: boolean;
  counter?: number;
  userHandle?: string | undefined;
  /** Of another credential. */
  id?: string;
  key?: KeyObject;
  fmt?: string;
  /** A `packed` statement has its maker's certificate. */
  isCertified?: boolean;
}

/** A maker's certificate of authenticators, good until 2126: it verifies, and nobody asked for it. */
const MAKERS_CERTIFICATE =
  "MIIB5jCCAYygAwIBAgIUKGq/rmTYjF16Fg/8U65YlA8QvIYwCgYIKoZIzj0EAwIwSTELMAkGA1UEBhMCVk4xCjAIBgNVBAoMAVQxIjAgBgNVBA" +
  "sMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xCjAIBgNVBAMMAVQwIBcNMjYxMTIzMDMyODM5WhgPMjEyNjEwMzAwMzI4MzlaMEkxCzAJBgNV" +
  "BAYTAlZOMQowCAYDVQQKDAFUMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQowCAYDVQQDDAFUMFkwEwYHKoZIzj0CAQYIKo" +
  "ZIzj0DAQcDQgAEWFyuZt/2MUZUZ6gXOBMj2e0/vDpRrXdDG7oALW8H+1wYOQfE42d4GaDH0+EyPFXHtBqzH/S9rs0jMHMcDMnKiqNQME4wHQYD" +
  "VR0OBBYEFIDXVruX/9Fq7+Y5u+TJ90uxsDtXMB8GA1UdIwQYMBaAFIDXVruX/9Fq7+Y5u+TJ90uxsDtXMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj" +
  "0EAwIDSAAwRQIhAKkpUiqd3s3rYk1fo1Ls5zLgKpTca5HESOIKdFjG6LWWAiA2PoQnY42JvDMZYF6XbZOzMK9MviR2x/0LX20mhkh7aQ==";
const MAKERS_KEY =
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQEWUIL8+tauF1VuWPbjOVN94q4ZmVRsPYO+PIEqjwoShRANCAARYXK5m3/YxRl" +
  "RnqBc4EyPZ7T+8OlGtd0MbugAtbwf7XBg5B8TjZ3gZoMfT4TI8Vce0GrMf9L2uzSMwcxwMycqK";

const FLAGS = { present: 1, verified: 4, attested: 64 };

/** An authenticator in software with one discoverable ES256 credential. With `counts`, it counts its signatures. */
export class Authenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly key: KeyObject;
  counter = 0;
  /** As COSE writes it. */
  readonly publicKey: Buffer;
  readonly #origin: string;
  readonly #counts: boolean;
  userHandle: string | undefined;

  constructor({ origin = "http://localhost", counts = false } = {}) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    const [left, right] = [Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")];
    this.publicKey = cbor(new Map<number, Value>([[1, 2], [3, -7], [-1, 1], [-2, left], [-3, right]])); // prettier-ignore
    this.key = privateKey;
    this.#origin = origin;
    this.#counts = counts;
  }

  /** Makes its credential, as `navigator.credentials.create()` does. */
  make(options: CreationOptions, says: Says = {}): string {
    this.userHandle = options.user.id;
    const id = Buffer.from(this.id, "base64url");
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.publicKey]);
    const authData = Buffer.concat([this.#data(options.rp.id, says, FLAGS.attested), credential]);
    const clientDataJSON = this.#client("webauthn.create", options, says);
    const statement = this.#statement(
      says,
      Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]),
    );
    const stated = new Map<string, Value>([
      ["fmt", says.fmt ?? "none"],
      ["attStmt", statement],
      ["authData", authData],
    ]);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        attestationObject: cbor(stated).toString("base64url"),
        transports: ["internal", "teleport"],
      },
    });
  }

  /** Answers a challenge, as `navigator.credentials.get()` does. */
  answer(options: Pick<RequestOptions, "challenge" | "rpId">, says: Says = {}): string {
    const authData = this.#data(options.rpId, says, 0);
    const client = this.#client("webauthn.get", options, says);
    const signed = Buffer.concat([authData, sha256(Buffer.from(client, "base64url"))]);
    const id = says.id ?? this.id;
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: client,
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, says.key ?? this.key).toString("base64url"),
        userHandle: "userHandle" in says ? says.userHandle : this.userHandle,
      },
    });
  }

  /** `packed` signs with its own key, or with its maker's beside the certificate. */
  #statement({ fmt, isCertified = false }: Says, signed: Buffer): Map<string, Value> {
    if (fmt !== "packed") return new Map();
    const own = new Map<string, Value>([["alg", -7]]);
    if (!isCertified) return own.set("sig", sign("sha256", signed, this.key));
    const key = createPrivateKey({ key: Buffer.from(MAKERS_KEY, "base64"), format: "der", type: "pkcs8" });
    return own.set("sig", sign("sha256", signed, key)).set("x5c", [Buffer.from(MAKERS_CERTIFICATE, "base64")]);
  }

  #data(rpId: string, { rpId: other = rpId, unverified, absent, counter }: Says, more: number): Buffer {
    const flags = more | (absent ? 0 : FLAGS.present) | (unverified ? 0 : FLAGS.verified);
    if (this.#counts) this.counter++;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    return Buffer.concat([sha256(other), Buffer.from([flags]), count]);
  }

  #client(type: string, { challenge }: { challenge: string }, says: Says): string {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { type: t = type, challenge: c = challenge, origin = this.#origin, crossOrigin = false } = says;
    return Buffer.from(JSON.stringify({ ...data, type: t, challenge: c, origin, crossOrigin })).toString("base64url");
  }
}
