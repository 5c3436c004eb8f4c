import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

hashes.sha512 = sha512;

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/**
 * Whether an Ed25519 signature (RFC 8032) is genuine. The strict reading: a key of small order signs anything, and is
 * refused. The browser's own Ed25519 is missing on pages without TLS and in older browsers, and browsers do not
 * agree on such keys. Evidence needs the same verdict everywhere, so all use this one.
 */
export const isSigned = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean =>
  publicKey.length === KEY_BYTES &&
  signature.length === SIGNATURE_BYTES &&
  verify(signature, message, publicKey, { zip215: false });
