import { RefusedCall } from "#client/api/call-error.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { useText } from "#client/text/use-text.ts";

/** The server knows of no such listing or city, or not any more. */
export const isGone = (error: unknown): boolean => error instanceof RefusedCall && [400, 404].includes(error.code);

/** A listing that was removed says so, and leads on; what only failed is asked for again. */
export function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  if (!isGone(error)) return <FailedNote error={error} onRetry={onRetry} />;
  return (
    <EmptyNote title={text("listing.gone")}>
      <ButtonLink look="quiet" to="/nHomeList" replace>
        {text("listing.title")}
      </ButtonLink>
    </EmptyNote>
  );
}
