import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Whether this address is a trusted proxy, whose X-Forwarded-For counts. */
export type IsProxy = (address: string) => boolean;

/** Named ranges: proxies on this machine, and on the networks between containers. */
const RANGES: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Reads TRUST_PROXY. A number of hops is refused: a client that reaches the server directly could then forge any
 * address.
 */
export function readTrustedProxies(text: string | undefined): string[] {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  const listed = entries.flatMap((entry) => RANGES[entry] ?? (entry === "" ? [] : [entry]));
  for (const entry of listed) {
    if (isNetwork(entry)) continue;
    const names = Object.keys(RANGES).join(", ");
    throw new Error(`TRUST_PROXY: ${entry} is not an address, a network such as 10.1.0.0/16, or one of ${names}.`);
  }
  return listed;
}

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest);
}

export function isProxyOf(networks: string[]): IsProxy {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (address) => isIP(address) > 0 && list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The client address of a socket: the nearest one that is no proxy's, as Fastify does for requests. */
export function clientAddressOf({ headers, socket }: IncomingMessage, isProxy: IsProxy): string {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const nearestFirst = [...forwarded.map((address) => address.trim()).filter(Boolean), socket.remoteAddress ?? ""];
  nearestFirst.reverse();
  return nearestFirst.find((address) => !isProxy(address)) ?? nearestFirst.at(-1)!;
}
