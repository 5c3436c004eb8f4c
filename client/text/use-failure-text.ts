import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { DIVIDER } from "#shared/format.ts";
import type { Text } from "./i18n.ts";
import { useFigures } from "./use-figures.ts";
import { useText } from "./use-text.ts";

/** Between what went wrong and its reference; as a space where text is not divided (`FailureText.tsx`). */
export const BELOW = "\n\n";

/**
 * What went wrong, in the member's language: the server's own words, or that it could not be reached. A fault ends with
 * the reference by which the service finds it.
 */
export function failureText(error: unknown, text: Text): string {
  const why = reasonOf(error, text);
  const isFault = error instanceof LostCall || (error instanceof RefusedCall && error.lost);
  if (!isFault || error.reference === undefined) return why;
  return `${why}${BELOW}${text("fault.reference", { id: error.reference })}`;
}

function reasonOf(error: unknown, text: Text): string {
  const reasons = Object.values(error instanceof RefusedCall ? error.fields : {});
  if (reasons.length > 0) return reasons.join(DIVIDER);
  return error instanceof RefusedCall && error.message ? error.message : text("state.away");
}

/** The same, with the figures of a refusal. */
export function useFailureText(): (error: unknown) => string {
  const text = useText();
  const figures = useFigures();
  return (error) => {
    const why = failureText(error, text);
    return error instanceof RefusedCall ? followedBy(why, figures(error)) : why;
  };
}

/** A text and what follows it, which is nothing where it is not known. */
export const followedBy = (text: string, next: string | null): string =>
  next === null ? text : `${text}${joinAfter(text)}${next}`;

function joinAfter(text: string): string {
  if (text.endsWith("。")) return "";
  return /[.!]$/.test(text) ? " " : DIVIDER;
}
