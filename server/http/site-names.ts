import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isLocalUrl, isLoopback, type Config } from "#server/config/config.ts";

/** The site's own names, against pages that reach it under a name of theirs (DNS rebinding) or call it from elsewhere. */
export interface SiteNames {
  /** Whether a request's `Host` is the site's. */
  isOwnHost(headers: IncomingHttpHeaders): boolean;
  /** Whether the page that a request comes from is the site's. Programs name none. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean;
}

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];
/** A host's name, and its port. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
/** For probes, which ask for any name. */
const FOR_ANYBODY = /^\/(healthz|readyz|metrics)(\?|$)/;

export const isForAnyName = (path: string): boolean => FOR_ANYBODY.test(path);

/** A browser leaves a scheme's own port out of both, some programs out of one. */
const isSameHost = ({ protocol, host }: URL, asked = "") =>
  URL.canParse(`${protocol}//${asked}`) && new URL(`${protocol}//${asked}`).host === host;

export function siteNamesOf({
  host,
  publicUrl,
  hosts,
  isNamed,
}: Pick<Config, "host" | "publicUrl" | "hosts" | "isNamed">): SiteNames {
  const site = new URL(publicUrl);
  const isLocal = isLoopback(host) || isLocalUrl(publicUrl);
  const names = new Set([site.hostname, ...hosts, ...(isLocal ? LOCAL_NAMES : [])]);
  // A bare address cannot be rebound, so a server on the network without a name answers to each of its own.
  const isOwnName = (name: string) => names.has(name) || (!isNamed && isIP(name.replace(/^\[|\]$/g, "")) > 0);

  /** Most requests name the host that the one before them named. */
  let last: string | undefined;

  return {
    isOwnHost({ host: asked }) {
      if (asked === undefined || asked === last) return true;
      const isOwn = isOwnName(HOST.exec(asked)?.[1]?.toLowerCase().replace(/\.$/, "") ?? "");
      if (isOwn) last = asked;
      return isOwn;
    },
    isOwnOrigin({ origin, host: asked }) {
      if (origin === undefined) return true;
      if (!URL.canParse(origin)) return false;
      const page = new URL(origin);
      return origin === site.origin || isSameHost(page, asked) || hosts.includes(page.hostname);
    },
  };
}
