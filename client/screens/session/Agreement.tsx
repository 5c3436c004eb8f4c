import { useId, useState } from "react";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useBeacon } from "#client/hooks/use-beacon.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  isTicked: boolean;
  onTick: (ticked: boolean) => void;
  /** The form was submitted without agreement. */
  isMissed: boolean;
}

/** The agreement checkbox, and a link that shows the agreement. */
export function Agreement({ isTicked, onTick, isMissed }: Props) {
  const text = useText();
  const [isRead, read] = useState(false);
  const missed = useId();
  return (
    <div className="flex flex-col">
      <label className="flex min-h-11 items-start gap-3 py-3 text-sm">
        <input
          type="checkbox"
          name="agreement"
          checked={isTicked}
          onChange={(event) => onTick(event.target.checked)}
          aria-invalid={isMissed}
          aria-describedby={isMissed ? missed : undefined}
          className="size-5 shrink-0 accent-brand-deep"
        />
        {text("session.agree")}
      </label>
      {isMissed && (
        <p id={missed} role="alert" className="ps-8 text-sm text-bad">
          {text("session.confirmAgreement")}
        </p>
      )}
      <button
        type="button"
        onClick={() => read(true)}
        className="ms-8 -mt-2 min-h-11 w-fit text-start text-sm font-medium text-brand-text underline underline-offset-4"
      >
        {text("session.readAgreement")}
      </button>
      <Sheet title={text("session.agreementTitle")} isOpen={isRead} onClose={() => read(false)}>
        <AgreementText />
        <Button className="mt-4 w-full" onClick={() => read(false)}>
          {text("action.ok")}
        </Button>
      </Sheet>
    </div>
  );
}

const POINTS = [
  "agreement.adult",
  "agreement.points",
  "agreement.fair",
  "agreement.wheel",
  "agreement.final",
  "agreement.limits",
  "agreement.data",
] as const;

/** It promises of the draws what their beacon gives, and no more. */
function AgreementText() {
  const text = useText();
  const beacon = useBeacon();
  return (
    <ol className="flex list-decimal flex-col gap-3 ps-6 text-base marker:text-muted">
      {POINTS.map((key) => (
        <li key={key}>{text(key === "agreement.fair" && beacon === "drand" ? "agreement.fairDrand" : key)}</li>
      ))}
    </ol>
  );
}
