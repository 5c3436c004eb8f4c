import { useMutation } from "@tanstack/react-query";
import { call, type InputFor } from "#client/api/call.ts";
import { withProof } from "#client/api/proof.ts";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";

/**
 * Sets a value, such as a switch or a name, or clears a list. Twice is as good as once, so there is no idempotency key:
 * one that was kept after a lost answer would replay that answer, although another value has been set since. A call that
 * failed may still have set the value; `renew` asks what is stored now.
 */
export function useSetting<E extends AnyEndpoint>(
  endpoint: E,
  onDone: (answer: ReplyOf<E>, input: Partial<InputFor<E>>) => void,
  renew: () => Promise<unknown>,
) {
  return useMutation({
    networkMode: "always",
    mutationFn: (input: Partial<InputFor<E>>) => withProof(() => call(endpoint, input)),
    onSuccess: onDone,
    onError: () => void renew(),
  });
}
