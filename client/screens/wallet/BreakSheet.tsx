import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import { FailureText } from "#client/components/FailureText.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useLimitWrite } from "./use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";

export interface Break {
  kind: "break" | "exclude";
  days: number;
  /** Unix seconds. */
  until: number;
}

interface Props {
  asked: Break;
  isOpen: boolean;
  onClose: () => void;
}

/** Explains a break in plain words before it begins. */
export function BreakSheet({ asked: { kind, days, until }, isOpen, onClose }: Props) {
  const text = useText();
  const time = useTime({ dateStyle: "long", timeStyle: "short" });
  const failure = useFailureText();
  const { mutate, isPending, error } = useLimitWrite(() => {
    showToast(text("limit.started", { date: time(until) }), "good");
    onClose();
  });
  const isBreak = kind === "break";
  const title = text(isBreak ? "limit.askBreak" : "limit.askExclude", { days: text("plan.days", { count: days }) });
  return (
    <Sheet kind="pop" title={title} isOpen={isOpen} onClose={onClose}>
      <ul className="flex list-disc flex-col gap-1.5 ps-5 pb-4 wrap-anywhere">
        <li>{text("limit.until", { date: time(until) })}</li>
        <li>{text("limit.cannot")}</li>
        <li>{text("limit.can")}</li>
        <li className="font-semibold">{text("limit.final")}</li>
      </ul>
      {error && (
        <p role="alert" className="mb-4 rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          <FailureText>{failure(error)}</FailureText>
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button isBusy={isPending} onClick={() => mutate({ exclude_until: String(until) })}>
          {text(isBreak ? "limit.startBreak" : "limit.startExclude")}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {text("action.cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
