import { isIP } from "node:net";
import type { Deps } from "#server/app/deps.ts";
import { isLocalUrl, isLoopback, type Config } from "./config.ts";

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, "")) > 0;
const isWithin = (name: string, other: string) => name === other || name.endsWith(`.${other}`);

/**
 * Who passkeys are for at each of the site's own names (WebAuthn's relying party). A request only chooses among them. A
 * passkey is made for the shortest name that is this one or a parent of it, so `club.example` and `www.club.example` share
 * theirs. Any other name has its own.
 */
export function relyingPartiesOf({
  host,
  publicUrl,
  hosts,
}: Pick<Config, "host" | "publicUrl" | "hosts">): Deps["passkeysAt"] {
  const site = new URL(publicUrl);
  const isLocal = isLoopback(host) || isLocalUrl(publicUrl);
  const names = [site.hostname, ...hosts].filter((name) => !isAddress(name));
  const port = site.port && `:${site.port}`;

  return (asked = "") => {
    const page = URL.canParse(`http://${asked}`) ? new URL(`http://${asked}`) : site;
    // Browsers take pages of this machine for secure ones. A port of it is as good as another.
    if (isLocal && page.hostname === "localhost") return { id: "localhost", origin: page.origin };
    // A proxy that asks by address brings what was asked for under the public name.
    const name = names.includes(page.hostname) ? page.hostname : site.hostname;
    if (isAddress(name) || (site.protocol !== "https:" && isAddress(page.hostname))) return "address";
    if (site.protocol !== "https:") return "insecure";
    const [id = name] = names.filter((other) => isWithin(name, other)).sort((a, b) => a.length - b.length);
    return { id, origin: `https://${name}${port}` };
  };
}
