import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { isProxyOf, readTrustedProxies, type IsProxy } from "#server/config/trusted-proxies.ts";

/** So many forwarded requests, and none that came directly, are a proxy and no visitor's trick. */
const CERTAIN = 10;

/** A peer on this machine or its network. */
const isNear: IsProxy = isProxyOf(readTrustedProxies("loopback, private"));
const MAPPED = /^::ffff:/;

/**
 * Notices a proxy that `TRUST_PROXY` does not name. Behind it all members count as one client, whose mistakes add up.
 * Says so once, loudly.
 */
export class UntrustedProxies {
  readonly #isProxy: IsProxy;
  readonly #log: Logger;
  #forwarded = 0;
  #isDirect = false;
  #isTold = false;

  constructor(isProxy: IsProxy, log: Logger) {
    this.#isProxy = isProxy;
    this.#log = log;
  }

  look({ headers, socket }: IncomingMessage): void {
    const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
    // What was said stays said, but a direct request still tells that not all of it comes by the proxy.
    if (this.#isDirect && (this.#isTold || !isForwarded)) return;
    const peer = (socket.remoteAddress ?? "").replace(MAPPED, "");
    if (!isNear(peer) || this.#isProxy(peer)) return;
    if (!isForwarded) this.#isDirect = true;
    else this.#notice(peer);
  }

  /** Whether all that comes is forwarded by a proxy that is not trusted. */
  get isCertain(): boolean {
    return this.#forwarded >= CERTAIN && !this.#isDirect;
  }

  #notice(peer: string): void {
    this.#forwarded++;
    if (this.#isTold) return;
    this.#isTold = true;
    this.#log.error(
      { peer },
      "a proxy forwards requests, but TRUST_PROXY does not name it: all its members count as one client",
    );
  }
}
