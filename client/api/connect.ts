import { io } from "socket.io-client";
import type { Credentials } from "./connection.ts";

/** A socket to the page's own server. It reconnects for ever, with less than a second between tries. */
export function connect(credentials: () => Credentials) {
  return io({
    transports: ["websocket", "polling"],
    auth: (give) => give(credentials()),
    reconnectionDelay: 250,
    reconnectionDelayMax: 750,
    timeout: 5_000,
  });
}
