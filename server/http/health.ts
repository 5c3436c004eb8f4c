import type { IncomingMessage } from "node:http";
import type { BackupFigures } from "#server/jobs/backup-clock.ts";

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
  /** How long news of other processes has waited here, in ms. */
  outboxAgeMs(): number;
  /** How many wait, by lane: passwords to be hashed, and bets. */
  waiting(): Record<string, number>;
  /** Free bytes on the disk of the data folder. */
  diskFree(): Promise<number>;
  /** The last sum of all accounts, in 1/100 unit; NaN while it is not known. */
  ledgerSum(): number;
  /** What is known of the backups. */
  backups(): Promise<BackupFigures>;
  /** How long ago the payments of each provider were last seen, in ms. */
  providers(): Promise<(readonly [channel: string, ms: number])[]>;
  rounds: {
    /** How many steps failed and wait for a retry. */
    failing(): number;
    watch: { behindMs: number; jumps: { ahead: number; back: number } };
  };
}
