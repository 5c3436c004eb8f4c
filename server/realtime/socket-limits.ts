import type { IncomingMessage } from "node:http";
import type { IsProxy } from "#server/config/trusted-proxies.ts";
import { clientAddressOf } from "#server/config/trusted-proxies.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { Refusal } from "#shared/refusal.ts";
import type { HubSocket, SocketsByMember } from "./socket.ts";

/** The most sockets of one client, websockets and polling ones together: many members may share an address. */
const MOST_OF_CLIENT = 500;
/** The most of one member: devices and tabs. */
const MOST_OF_MEMBER = 30;
const RETRY_AFTER_S = 10;

export interface SocketLimits {
  ofClient: number;
  ofMember: number;
}

export const SOCKET_LIMITS: SocketLimits = { ofClient: MOST_OF_CLIENT, ofMember: MOST_OF_MEMBER };

/** engine.io's socket: a websocket, or a polling connection that holds no TCP connection between its requests. */
interface Countable {
  request: IncomingMessage;
  once(event: "close", listener: () => void): unknown;
}

/** Counts the open sockets of each client, and refuses beyond the limits. */
export class SocketCrowd {
  readonly #open = new Map<string, number>();
  readonly #limits: SocketLimits;
  readonly #isProxy: IsProxy;

  constructor(limits: SocketLimits, isProxy: IsProxy) {
    this.#limits = limits;
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
   * Whether this client may not even shake hands. A few beyond the limit may: they are told why, and leave again, where
   * a refused handshake tells a client nothing.
   */
  isFar(request: IncomingMessage): boolean {
    return (this.#open.get(this.#keyOf(request)) ?? 0) >= this.#limits.ofClient * 2;
  }

  /** Refuses a socket beyond its client's limit, or its member's. */
  refuse({ request, data }: HubSocket, byMember: SocketsByMember): void {
    const ofClient = this.#open.get(this.#keyOf(request)) ?? 0;
    const ofMember = data.caller ? (byMember.get(data.caller.memberId)?.size ?? 0) : 0;
    if (ofClient <= this.#limits.ofClient && ofMember < this.#limits.ofMember) return;
    throw new Refusal("attempts.many", { retryAfterS: RETRY_AFTER_S });
  }

  readonly #keyOf = (request: IncomingMessage) => clientKey(clientAddressOf(request, this.#isProxy));
}
