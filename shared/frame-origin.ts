/**
 * The origin to allow in `frame-src` for an address that the operator set: one host, by name, on https. Null for
 * everything else, such as an address with a wildcard host.
 */
export function frameOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:") return null;
  return /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(url.origin) ? url.origin : null;
}
