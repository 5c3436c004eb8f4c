import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Keys, MasterKey } from "#server/config/keys.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NUMBERED = /^([1-9]\d*)\.(.*)$/s;

/** What is encrypted: for which purpose, and the additional authenticated data, without which it does not open. */
export interface Sealing {
  purpose: string;
  owner: string;
}

/** A text under a key's number. What is of the first key has none. */
export const numbered = ({ version }: Pick<MasterKey, "version">, text: string): string =>
  version === 1 ? text : `${version}.${text}`;

/** Which key a stored text is of. */
export const versionOf = (stored: string): number => Number(NUMBERED.exec(stored)?.[1] ?? 1);

/** Encrypts by AES-256-GCM: the key's number, and base64url of nonce, tag and ciphertext. */
export function seal(
  key: MasterKey,
  random: (bytes: number) => Uint8Array,
  { purpose, owner }: Sealing,
  plain: Uint8Array,
): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.derive(purpose), nonce).setAAD(Buffer.from(owner));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return numbered(key, Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url"));
}

/** Decrypts what `seal` wrote. Throws if it was changed, is sealed otherwise, or under a key that is not here. */
export function unseal(keys: Pick<Keys, "of">, { purpose, owner }: Sealing, sealed: string): Buffer {
  const bytes = Buffer.from(NUMBERED.exec(sealed)?.[2] ?? sealed, "base64url");
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const key = keys.of(versionOf(sealed)).derive(purpose);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]);
}
