import type { SubmitEvent } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { PasscodePad } from "#client/components/PasscodePad.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/text/use-text.ts";
import type { useWithdrawal } from "./use-withdrawal.ts";

interface Props {
  /** The amount in whole units. */
  amount: string;
  passcode: ReturnType<typeof useWithdrawal>["passcode"];
  isAsking: boolean;
  isBusy: boolean;
  close: () => void;
  focusAfter: () => HTMLElement | null;
}

/** Asks for the passcode before a withdrawal. It cannot be closed while the request runs. */
export function PasscodeSheet({ amount, passcode, isAsking, isBusy, close, focusAfter }: Props) {
  const text = useText();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // React bubbles the event to the withdrawal form, which must not submit again.
    event.stopPropagation();
    if (!isBusy) passcode.confirm();
  };
  return (
    <Sheet title={text("withdraw.title")} isOpen={isAsking} onClose={() => isBusy || close()} focusAfter={focusAfter}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-center text-xl font-bold">
          <Amount value={`${amount || "0"}.00`} hasUnit />
        </p>
        <PasscodePad
          name="paypwd"
          label={text("withdraw.passcode")}
          value={passcode.digits}
          onValue={passcode.type}
          error={passcode.error}
        />
        <Button type="submit" isBusy={isBusy}>
          {text("action.confirm")}
        </Button>
      </form>
    </Sheet>
  );
}
