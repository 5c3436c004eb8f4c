import type { IncomingMessage } from "node:http";
import type { IsProxy } from "#server/config/trusted-proxies.ts";
import { clientAddressOf } from "#server/config/trusted-proxies.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { Refusal } from "#shared/refusal.ts";
import type { HubSocket, SocketsByMember } from "./socket.ts";
import { TokenBuckets, type Rate } from "./token-bucket.ts";

/** The most sockets of one client, websockets and polling ones together: many members may share an address. */
const MOST_OF_CLIENT = 500;
/** The most of one member: devices and tabs. */
const MOST_OF_MEMBER = 30;
/**
 * Handshakes of one client: all its sockets may come back at once, and soon once more, as when a server is replaced
 * twice. Then so many a second: as many phones as a house has are all back within seconds.
 */
const HANDSHAKES: Rate = { burst: 2 * MOST_OF_CLIENT, perSecond: 20 };
/** Of those beyond, so many are told why and how long to wait. */
const TOLD: Rate = { burst: 50, perSecond: 5 };
export const RETRY_AFTER_S = 10;

export interface SocketLimits {
  ofClient: number;
  ofMember: number;
  handshakes: Rate;
  told: Rate;
}

export const SOCKET_LIMITS: SocketLimits = {
  ofClient: MOST_OF_CLIENT,
  ofMember: MOST_OF_MEMBER,
  handshakes: HANDSHAKES,
  told: TOLD,
};

/** engine.io's socket: a websocket, or a polling connection that holds no TCP connection between its requests. */
interface Countable {
  request: IncomingMessage;
  once(event: "close", listener: () => void): unknown;
}

/** Counts the open sockets of each client and its handshakes, and refuses beyond the limits. Each process counts alone. */
export class SocketCrowd {
  readonly #open = new Map<string, number>();
  readonly #handshakes: TokenBuckets;
  readonly #told: TokenBuckets;
  /** Handshakes beyond the rate, which are heard to be told so. */
  readonly #hasty = new WeakSet<IncomingMessage>();
  readonly #limits: SocketLimits;
  readonly #isProxy: IsProxy;

  constructor(limits: SocketLimits, isProxy: IsProxy) {
    this.#limits = limits;
    this.#handshakes = new TokenBuckets(limits.handshakes);
    this.#told = new TokenBuckets(limits.told);
    this.#isProxy = isProxy;
  }

  enter(connection: Countable): void {
    const key = this.#keyOf(connection.request);
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    connection.once("close", () => {
      const left = this.#open.get(key)! - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    });
  }

  /**
   * Whether a handshake is heard. A few beyond the limits are: they are told why, and leave again, where a refused
   * handshake tells a browser nothing.
   */
  hears(request: IncomingMessage): boolean {
    const [key, now] = [this.#keyOf(request), Date.now()];
    if ((this.#open.get(key) ?? 0) >= this.#limits.ofClient * 2) return false;
    if (this.#handshakes.take(key, now)) return true;
    this.#hasty.add(request);
    return this.#told.take(key, now);
  }

  /** Refuses a socket beyond its client's limits, or its member's. */
  refuse({ request, data }: HubSocket, byMember: SocketsByMember): void {
    const ofClient = this.#open.get(this.#keyOf(request)) ?? 0;
    const ofMember = data.caller ? (byMember.get(data.caller.memberId)?.size ?? 0) : 0;
    const isFew = ofClient <= this.#limits.ofClient && ofMember < this.#limits.ofMember;
    if (isFew && !this.#hasty.has(request)) return;
    throw new Refusal("attempts.many", { retryAfterS: RETRY_AFTER_S });
  }

  readonly #keyOf = (request: IncomingMessage) => clientKey(clientAddressOf(request, this.#isProxy));
}
