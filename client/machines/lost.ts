const TOO_MANY_REQUESTS = 429;

/**
 * Whether an error leaves open what became of a call with an idempotency key. The limit on requests is asked before the
 * key is, so once a call was sent before, its refusal says nothing of that one.
 */
export function isLost(error: unknown, wasSentBefore: boolean): boolean {
  const { lost, code } = error as { lost?: boolean; code?: number };
  return lost === true || (wasSentBefore && code === TOO_MANY_REQUESTS);
}
