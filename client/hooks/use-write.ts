import { useMutation } from "@tanstack/react-query";
import { call, type InputFor } from "#client/api/call.ts";
import { withProof } from "#client/api/proof.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { isLost } from "#client/machines/lost.ts";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";

/** Idempotency keys of unanswered writes, by request. */
const unanswered = new Map<string, string>();

/**
 * Performs a write once. The same request keeps its idempotency key until the server answers, on any screen. A retry
 * after a lost answer or a double tap therefore takes effect once.
 */
export function useWrite<E extends AnyEndpoint>(
  endpoint: E,
  onDone: (answer: ReplyOf<E>, input: Partial<InputFor<E>>) => void,
) {
  return useMutation({
    networkMode: "always",
    mutationFn: (input: Partial<InputFor<E>>) => write(endpoint, input),
    onSuccess: onDone,
  });
}

async function write<E extends AnyEndpoint>(endpoint: E, input: Partial<InputFor<E>>): Promise<ReplyOf<E>> {
  const wish = `${endpoint.path} ${JSON.stringify(input)}`;
  const before = unanswered.get(wish);
  const key = before ?? newIdempotencyKey();
  unanswered.set(wish, key);
  try {
    const answer = await withProof(() => call(endpoint, input, { key }));
    unanswered.delete(wish);
    return answer;
  } catch (error) {
    if (error instanceof RefusedCall && !isLost(error, before !== undefined)) unanswered.delete(wish);
    throw error;
  }
}
