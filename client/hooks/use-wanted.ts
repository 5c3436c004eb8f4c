import { useRef, useState } from "react";

/**
 * A switch that shows at once what is wanted. What is wanted meanwhile is sent next, the last of it alone; a failure ends
 * it. `send` resolves once what was sent is what is stored, so that the switch never falls back in between.
 */
export function useWanted<T>(send: (wanted: T) => Promise<unknown>) {
  const [wanted, show] = useState<T>();
  const latest = useRef<T>(undefined);
  const sendAll = async () => {
    try {
      let sent: string;
      do {
        sent = JSON.stringify(latest.current);
        await send(latest.current!);
      } while (sent !== JSON.stringify(latest.current));
    } catch {
      // The mutation holds why.
    } finally {
      latest.current = undefined;
      show(undefined);
    }
  };
  const want = (next: T) => {
    const isUnderWay = latest.current !== undefined;
    latest.current = next;
    show(next);
    if (!isUnderWay) void sendAll();
  };
  return { wanted, want };
}
