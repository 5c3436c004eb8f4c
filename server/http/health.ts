import type { IncomingMessage } from "node:http";

/** What a server knows of its own state, for probes and metrics. */
export interface Health {
  /** The server is about to go down: it still answers everything, but probes fail so that proxies choose others. */
  leaving: boolean;
  /** The server is going down and refuses new calls. */
  draining: boolean;
  /** Everybody comes by a proxy that is not trusted: here that is a mistake of the operator. */
  proxyUntrusted(): boolean;
  /** Notices by whom a request was forwarded. */
  look(request: IncomingMessage): void;
  /** How many sockets are open. */
  sockets(): number;
  rounds: {
    /** How many steps failed and wait for a retry. */
    failing(): number;
    watch: { behindMs: number; jumps: { ahead: number; back: number } };
  };
}
