import type { Server, Socket } from "socket.io";
import type { Caller } from "#server/app/deps.ts";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";
import type { LocaleCode } from "#shared/locales.ts";

interface SocketData {
  /** Null for a guest. */
  caller: Caller | null;
  locale: LocaleCode;
  /** The id of the request that opened it. */
  requestId: string;
}

export type Hub = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type HubSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

/** Open sockets by member: each member hears their own news on all of them. */
export type SocketsByMember = Map<number, Set<HubSocket>>;
