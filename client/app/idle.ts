/**
 * Calls back once the page has nothing else to do, or after `withinMs` at the latest: Safari, which does not say when it
 * has nothing to do, waits that long. Returns what stops it.
 */
export function whenIdle(work: () => void, withinMs: number): () => void {
  if ("requestIdleCallback" in window) {
    const asked = window.requestIdleCallback(work, { timeout: withinMs });
    return () => window.cancelIdleCallback(asked);
  }
  const timer = setTimeout(work, withinMs);
  return () => clearTimeout(timer);
}

/** Resolves then. */
export const idle = (withinMs: number): Promise<void> => new Promise((resolve) => void whenIdle(resolve, withinMs));
