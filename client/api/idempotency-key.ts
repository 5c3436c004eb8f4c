/** A fresh idempotency key: retries under it take effect once. */
export function newIdempotencyKey(): string {
  // A page that came over plain http has no randomUUID.
  if (window.isSecureContext) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
