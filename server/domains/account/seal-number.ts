import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Deps } from "#server/app/deps.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The additional authenticated data: a number sealed for one member cannot be opened for another. */
const owner = (memberId: number) => Buffer.from(`member:${memberId}`);

/** Encrypts an account number for one member: base64url of nonce, tag and AES-256-GCM ciphertext. */
export function sealNumber({ keys, random }: Pick<Deps, "keys" | "random">, memberId: number, number: string): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keys.derive("bank"), nonce).setAAD(owner(memberId));
  const text = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/** Decrypts what `sealNumber` wrote. Throws if it was changed or belongs to another member. */
export function openNumber({ keys }: Pick<Deps, "keys">, memberId: number, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, keys.derive("bank"), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(owner(memberId)).setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString("utf8");
}
