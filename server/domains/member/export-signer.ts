import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Keys } from "#server/config/keys.ts";
import type { Signature } from "./export-format.ts";

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs exports. The key derives from the master key, so every process has the same one. */
export class ExportSigner {
  readonly #key;
  /** The public key, raw, in hex. */
  readonly publicKey: string;

  constructor(keys: Pick<Keys, "derive">) {
    const der = Buffer.concat([PKCS8_HEAD, keys.derive("export")]);
    this.#key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const { x } = createPublicKey(this.#key).export({ format: "jwk" });
    this.publicKey = Buffer.from(x!, "base64url").toString("hex");
  }

  sign(digest: Uint8Array): Signature {
    const value = sign(null, digest, this.#key).toString("hex");
    return { algorithm: "Ed25519", key: this.publicKey, value };
  }
}
