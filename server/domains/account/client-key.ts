import { isIPv4, isIPv6 } from "node:net";

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one line commonly has whole
 * (RFC 6177). An IPv4 address that is mapped into IPv6 is itself.
 */
export function clientKey(address: string): string {
  const mapped = address.startsWith("::ffff:") ? address.slice(7) : "";
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. A zone is dropped, and dotted groups are written as two. */
function groupsOf(address: string): string[] {
  const [plain = ""] = new URL(`http://[${address.split("%")[0]}]/`).hostname.slice(1).split("]");
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
}
