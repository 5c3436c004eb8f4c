/** What a server knows of its own state, for probes and metrics. */
export interface Health {
  /** The server is about to go down: it still does everything, and asks that others be asked instead. */
  leaving: boolean;
  /** The server is going down and takes nothing new. */
  draining: boolean;
  /** How many sockets are open. */
  sockets(): number;
  rounds: {
    /** How many steps failed and wait to be tried again. */
    failing(): number;
    watch: { behindMs: number; jumps: { ahead: number; back: number } };
  };
}
