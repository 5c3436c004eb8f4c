import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { isLocked } from "#client/api/call-error.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { Button, ButtonLink } from "./Button.tsx";
import type { DrawingName } from "./drawings.ts";
import { EmptyDrawing } from "./EmptyDrawing.tsx";
import { FailureText } from "./FailureText.tsx";

interface EmptyProps {
  drawing: DrawingName;
  title: string;
  children: ReactNode;
}

/** The note in an empty list: its drawing, and the next step. */
export function EmptyNote({ drawing, title, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-10 text-center text-balance">
      <EmptyDrawing name={drawing} />
      <p className="text-base font-semibold">{title}</p>
      {children}
    </div>
  );
}

interface FailedProps {
  error: unknown;
  /** What to say instead of the error's own words, as where no server was asked. */
  reason?: string;
  onRetry: () => void;
}

/** The note for a failed fetch: the reason and a retry button. A locked member, whom no retry helps, is led to the service. */
export function FailedNote({ error, reason, onRetry }: FailedProps) {
  const text = useText();
  const failure = useFailureText();
  const { data: site } = useSite();
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
      <CircleAlert size={36} strokeWidth={1.5} aria-hidden className="text-bad" />
      <p className="max-w-80 text-balance">
        <FailureText>{reason ?? failure(error)}</FailureText>
      </p>
      {isLocked(error) && site?.iskefu === 1 ? (
        <ButtonLink to="/ServiceOnline">{text("mine.service")}</ButtonLink>
      ) : (
        <Button look="quiet" onClick={onRetry}>
          {text("action.retry")}
        </Button>
      )}
    </div>
  );
}
