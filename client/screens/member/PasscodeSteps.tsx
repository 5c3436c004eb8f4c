import type { SubmitEvent } from "react";
import { Button } from "#client/components/Button.tsx";
import { PasscodePad } from "#client/components/PasscodePad.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useText } from "#client/text/use-text.ts";
import { usePasscodeSteps, type Step, type Typed } from "./use-passcode-steps.ts";

interface Props {
  steps: readonly Step[];
  /** Sends the passcodes; an error it throws is shown. */
  send: (typed: Typed) => Promise<unknown>;
  isBusy: boolean;
}

/** Asks for one passcode after another, each sixth digit leads on; the last one repeats the new passcode. */
export function PasscodeSteps({ steps, send, isBusy }: Props) {
  const text = useText();
  const { step, value, fault, refusal, type, go, restart } = usePasscodeSteps(steps, send);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void go(value);
  };
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <p className="text-center text-sm text-muted">{text("passcode.hint")}</p>
      <PasscodePad
        key={step}
        name={step}
        label={text(`passcode.${step}`)}
        value={value}
        onValue={type}
        onFull={(digits) => void go(digits)}
        isBusy={isBusy}
        error={fault}
      />
      <Refusal>{refusal}</Refusal>
      {refusal && (
        <Button type="submit" isBusy={isBusy}>
          {text("action.retry")}
        </Button>
      )}
      {step !== steps[0] && (
        <Button look="bare" onClick={restart}>
          {text("passcode.again")}
        </Button>
      )}
    </form>
  );
}
