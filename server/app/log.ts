import { AsyncLocalStorage } from "node:async_hooks";
import { errorRecord } from "./error-record.ts";
import { pino, type DestinationStream, type Logger } from "pino";

const scope = new AsyncLocalStorage<{ id: string; memberId?: number } | null>();

/** Runs work for a request: its log lines and its rows of the outbox carry the request's id. */
export const inRequest = <T>(id: string, work: () => T): T => scope.run({ id }, work);

/** Starts work that serves many requests, or none: it carries no id, rather than that of whoever came first. */
export const apart = <T>(work: () => T): T => scope.run(null, work);

/** The id of the request whose work this is. */
export const currentRequest = (): string | undefined => scope.getStore()?.id;

/** Says which member the request is about, once that is known: its security events name them. */
export function concerns(memberId: number): void {
  const request = scope.getStore();
  if (request) request.memberId = memberId;
}

/** The member whom the request is about, if that is known. */
export const currentMember = (): number | undefined => scope.getStore()?.memberId;

/** Logs Node's own warnings, which would be text on standard error. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "Node warns"));
}

/** The log: JSON lines, each with the id of the request during which it was written. */
export function openLog(level: string, to?: DestinationStream): Logger {
  const mixin = () => {
    const requestId = currentRequest();
    return requestId === undefined ? {} : { requestId };
  };
  const options = { level, mixin, serializers: { err: (error: unknown) => errorRecord(error) } };
  return to ? pino(options, to) : pino(options);
}
