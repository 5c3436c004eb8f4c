import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";

/** That the member is on a break, and until when. */
export function useBreakText(): (until: number) => string {
  const text = useText();
  const time = useTime({ dateStyle: "long", timeStyle: "short" });
  return (until) => text("limit.onBreak", { date: time(until) });
}

/** In place of a form that a break closes. */
export function BreakNote({ until }: { until: number }) {
  const text = useText();
  const onBreak = useBreakText();
  return (
    <EmptyNote drawing="waiting" title={onBreak(until)}>
      <ButtonLink look="quiet" to="/Limits">
        {text("mine.limits")}
      </ButtonLink>
    </EmptyNote>
  );
}
