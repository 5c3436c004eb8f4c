import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import type { Signature } from "./export-format.ts";

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

const pairOf = perKey((key: MasterKey) => {
  const der = Buffer.concat([PKCS8_HEAD, key.derive("export")]);
  const secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = createPublicKey(secret).export({ format: "jwk" });
  return { secret, publicKey: Buffer.from(x!, "base64url").toString("hex") };
});

/** The public key of the exports that are signed under a master key, raw, in hex. */
export const exportKeyOf = (key: MasterKey): string => pairOf(key).publicKey;

/** Signs exports. The key derives from the master key in force, so every process has the same one. */
export class ExportSigner {
  readonly #keys: Pick<Keys, "now">;

  constructor(keys: Pick<Keys, "now">) {
    this.#keys = keys;
  }

  sign(digest: Uint8Array): Signature {
    const { secret, publicKey } = pairOf(this.#keys.now);
    return { algorithm: "Ed25519", key: publicKey, value: sign(null, digest, secret).toString("hex") };
  }
}
