import { useEffect, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { serverTime } from "#client/api/server-time.ts";

/** What time it was by the server's clock when the screen came, in ms; null until the server has said it. */
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
