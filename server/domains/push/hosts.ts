import { lookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Deps } from "#server/app/deps.ts";

/** The push services of the browsers' makers: Google, Mozilla, Apple, Microsoft. With a dot first, any name below. */
const SERVICES = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  ".push.services.mozilla.com",
  "web.push.apple.com",
  ".push.apple.com",
  ".notify.windows.com",
];

/** Where a subscription leads, and whether the operator named it: then it may be of a private network. */
export interface Service {
  url: URL;
  isOwn: boolean;
}

/** Where a browser wants its messages; null unless that is a push service. */
export function serviceOf({ pushServices }: Pick<Deps, "pushServices">, endpoint: string): Service | null {
  if (!URL.canParse(endpoint)) return null;
  const url = new URL(endpoint);
  if (url.username || url.password || url.hash) return null;
  if (pushServices.includes(url.origin)) return { url, isOwn: true };
  const isKnown = SERVICES.some((name) => (name.startsWith(".") ? url.hostname.endsWith(name) : url.hostname === name));
  return isKnown && url.protocol === "https:" && url.port === "" ? { url, isOwn: false } : null;
}

/** Addresses that nobody on the internet has: this machine, private networks, links, tests, groups. */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, "ipv4");
/** Of IPv6 only what is routed is public: 2000::/3, without tunnels to IPv4 and what is for documents. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, "ipv6");

/** Whether an address belongs to the internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, "ipv4");
  return isIP(address) === 6 && PUBLIC_6.check(address, "ipv6") && !NOT_PUBLIC.check(address, "ipv6");
}

export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;
export const resolveName: Resolve = (name, done) => lookup(name, { all: true }, done);

/** Resolves names for a connection, which takes exactly what was checked: an answer that is not public is an error. */
export const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (name, options, done) =>
    resolve(name, (error, found) => {
      const bad = found?.find(({ address }) => !isPublic(address));
      if (error) return done(error, [], 0);
      if (bad || !found[0]) return done(new Error(`${name} is not an address of the internet`), [], 0);
      if (options.all) done(null, found);
      else done(null, found[0].address, found[0].family);
    });
