import { RefusedCall } from "#client/api/call-error.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { useText } from "#client/text/use-text.ts";

/** Whether the server does not, or no longer, know the listing or city. */
export const isGone = (error: unknown): boolean => error instanceof RefusedCall && [400, 404].includes(error.code);

/** A removed listing shows a note and a link; any other failure offers a retry. */
export function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  if (!isGone(error)) return <FailedNote error={error} onRetry={onRetry} />;
  return (
    <EmptyNote drawing="gone" title={text("listing.gone")}>
      <ButtonLink look="quiet" to="/nHomeList" replace>
        {text("listing.title")}
      </ButtonLink>
    </EmptyNote>
  );
}
