import type { IncomingMessage } from "node:http";
import type { IsProxy } from "#server/config/trusted-proxies.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";

/** 80 random bits: two requests never share an id, whichever process or restart they meet. */
const BYTES = 10;
/** One call for random bytes serves this many ids. */
const AT_ONCE = 400;
const WELL_FORMED = /^[\w.:-]{1,64}$/;

/**
 * Names requests. A trusted proxy's id is taken over if it is short and plain; a stranger's never is, as it could be
 * another request's. Ids are random, since a count would tell how much the site is used.
 */
export class RequestIds {
  readonly #random: (bytes: number) => Uint8Array;
  readonly #isProxy: IsProxy;
  /** In hexadecimal, two digits a byte. */
  #pool = "";
  #used = 0;

  constructor(random: (bytes: number) => Uint8Array, isProxy: IsProxy = () => false) {
    this.#random = random;
    this.#isProxy = isProxy;
  }

  of({ headers, socket }: IncomingMessage): string {
    const given = headers[REQUEST_ID];
    if (typeof given !== "string" || !WELL_FORMED.test(given)) return this.fresh();
    return this.#isProxy(socket.remoteAddress ?? "") ? given : this.fresh();
  }

  fresh(): string {
    if (this.#used === this.#pool.length) {
      this.#pool = Buffer.from(this.#random(BYTES * AT_ONCE)).toString("hex");
      this.#used = 0;
    }
    return this.#pool.slice(this.#used, (this.#used += 2 * BYTES));
  }
}
