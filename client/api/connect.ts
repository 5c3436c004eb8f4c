import { io } from "socket.io-client";
import type { Credentials } from "./line.ts";

/** A socket to the server that the page came from, trying again for as long as it takes. */
export function connect(credentials: () => Credentials) {
  return io({
    transports: ["websocket", "polling"],
    auth: (give) => give(credentials()),
    reconnectionDelay: 250,
    reconnectionDelayMax: 1_000,
    timeout: 5_000,
  });
}
