import { useEffect, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { serverTime } from "#client/api/server-time.ts";

/** The server's time when the screen mounted, in ms; null until the server's time is known. */
export function useServerNow(): number | null {
  const [now, know] = useState(() => serverTime.now());
  useEffect(() => {
    const look = () => know((known) => known ?? serverTime.now());
    look();
    bus.on("hello", look);
    return () => bus.off("hello", look);
  }, []);
  return now;
}
