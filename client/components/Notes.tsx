import { CircleAlert, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { Button } from "./Button.tsx";
import { FailureText } from "./FailureText.tsx";

/** The note in an empty list, with a suggestion what to do. */
export function EmptyNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center text-balance">
      <span className="grid size-20 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Inbox size={36} strokeWidth={1.5} aria-hidden />
      </span>
      <p className="text-base font-semibold">{title}</p>
      {children}
    </div>
  );
}

/** The note for a failed fetch: the reason and a retry button. */
export function FailedNote({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  const failure = useFailureText();
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
      <CircleAlert size={36} strokeWidth={1.5} aria-hidden className="text-bad" />
      <p className="max-w-80 text-balance">
        <FailureText>{failure(error)}</FailureText>
      </p>
      <Button look="quiet" onClick={onRetry}>
        {text("action.retry")}
      </Button>
    </div>
  );
}
