import type { IncomingMessage } from "node:http";

/**
 * Browsers name the page that opens a socket: it must be one of ours. Programs
 * name none, and have no cookies that could be misused.
 */
export function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
