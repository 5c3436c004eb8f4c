import { Amount } from "#client/components/Amount.tsx";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useLimits } from "./use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { useVisit } from "./use-visit.ts";

/** The reminder that a member asked for: the length and net win of this visit, and a link to a break. */
export default function Reminder() {
  const text = useText();
  const { reminder, dismiss } = useVisit(useLimits().data?.remind_minutes ?? null);
  return (
    <Sheet kind="pop" title={text("limit.remind")} isOpen={reminder !== null} onClose={dismiss}>
      {reminder && (
        <div className="flex flex-col gap-3">
          <p>{text("limit.remindText", { count: reminder.minutes })}</p>
          <p className="flex items-baseline justify-between gap-3">
            <span className="text-sm text-muted">{text("report.net")}</span>
            <Amount value={reminder.net} isSigned hasUnit className="text-lg font-semibold" />
          </p>
          <ButtonLink look="quiet" to="/Limits" onClick={dismiss}>
            {text("limit.break")}
          </ButtonLink>
          <Button onClick={dismiss}>{text("action.ok")}</Button>
        </div>
      )}
    </Sheet>
  );
}
