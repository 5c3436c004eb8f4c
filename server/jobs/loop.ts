import { RetryLog } from "#server/app/retry-log.ts";
import type { Deps } from "#server/app/deps.ts";

/** Work repeated until stopped, never twice at once. */
interface BackgroundLoop {
  /** Fulfilled when the first run has ended, well or not. */
  first: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs `work`, waits for the time it returns, and repeats. A failure is logged and retried after a second; an absent
 * database is logged once.
 */
export function startLoop(
  { log, clock }: Pick<Deps, "log" | "clock">,
  name: string,
  work: () => Promise<number>,
): BackgroundLoop {
  const retryLog = new RetryLog(log, "loop failed", { loop: name });
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    let waitMs = 1_000;
    try {
      waitMs = await work();
      retryLog.recovered();
    } catch (error) {
      if (!stopped) retryLog.failed(error);
    }
    if (!stopped) timer = setTimeout(next, Math.min(Math.max(waitMs / (clock.speed ?? 1), 1), 60_000));
  }
  const next = () => {
    running = turn();
  };
  next();
  return {
    first: running,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
