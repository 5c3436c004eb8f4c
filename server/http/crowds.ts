import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { IsProxy } from "#server/config/trusted-proxies.ts";
import { clientKey } from "#server/domains/account/client-key.ts";

/** The most connections of one client: many phones may share an address. A trusted proxy has the connections of all. */
const MOST_OF_ONE = 1_000;
/** Files that stay free for the database, its backups and what is served. */
const RESERVED_FILES = 256;
/** The share of all connections that one client may have. */
const SHARE = 4;

export interface ConnectionLimits {
  inAll: number;
  ofOne: number;
}

/** What this machine bears: the limit of open files bounds the connections, and so the client with the most of them. */
export function connectionLimits(openFiles = mostOpenFiles()): ConnectionLimits {
  const inAll = Math.max(64, openFiles - RESERVED_FILES);
  return { inAll, ofOne: Math.min(MOST_OF_ONE, Math.ceil(inAll / SHARE)) };
}

function mostOpenFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | "unlimited" } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : 65_536;
}

/** Closes connections beyond the limits at once: nobody may take the places of all others. */
export function limitConnections(server: Server, isProxy: IsProxy, { inAll, ofOne }: ConnectionLimits): void {
  const open = new Map<string, number>();
  server.maxConnections = inAll;
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const key = clientKey(address);
    const count = open.get(key) ?? 0;
    if (count >= ofOne) {
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once("close", () => {
      const left = open.get(key)! - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
