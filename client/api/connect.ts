import { io } from "socket.io-client";
import type { Credentials } from "./connection.ts";

/** A socket to the server that the page came from. It tries again for as long as it takes, and never a second apart. */
export function connect(credentials: () => Credentials) {
  return io({
    transports: ["websocket", "polling"],
    auth: (give) => give(credentials()),
    reconnectionDelay: 250,
    reconnectionDelayMax: 750,
    timeout: 5_000,
  });
}
