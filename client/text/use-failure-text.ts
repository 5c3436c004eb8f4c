import { RefusedCall } from "#client/api/call-error.ts";
import type { Text } from "./i18n.ts";
import { useText } from "./use-text.ts";

/** What went wrong, in the member's language: the server's own words, or that it could not be reached. */
export function failureText(error: unknown, text: Text): string {
  const reasons = Object.values(error instanceof RefusedCall ? error.fields : {});
  if (reasons.length > 0) return reasons.join(" · ");
  return error instanceof RefusedCall && error.message ? error.message : text("state.away");
}

export function useFailureText(): (error: unknown) => string {
  const text = useText();
  return (error) => failureText(error, text);
}
