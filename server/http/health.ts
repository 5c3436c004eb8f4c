/** What a server knows of its own state, for probes and metrics. */
export interface Health {
  /** The server is about to go down: it still answers everything, but probes fail so that proxies choose others. */
  leaving: boolean;
  /** The server is going down and refuses new calls. */
  draining: boolean;
  /** How many sockets are open. */
  sockets(): number;
  rounds: {
    /** How many steps failed and wait for a retry. */
    failing(): number;
    watch: { behindMs: number; jumps: { ahead: number; back: number } };
  };
}
