import type { SubmitEvent } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { PasskeyButton } from "#client/components/PasskeyButton.tsx";
import { PasscodePad } from "#client/components/PasscodePad.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/text/use-text.ts";
import type { useWithdrawal } from "./use-withdrawal.ts";

/** How the member confirms: one of the two, or either. */
export interface Ways {
  hasPasscode: boolean;
  hasPasskey: boolean;
}

interface Props {
  ways: Ways;
  /** The amount in whole units. */
  amount: string;
  passcode: ReturnType<typeof useWithdrawal>["passcode"];
  passkey: ReturnType<typeof useWithdrawal>["passkey"];
  isAsking: boolean;
  isBusy: boolean;
  close: () => void;
  focusAfter: () => HTMLElement | null;
}

/** Asks for the passcode or a passkey before a withdrawal. It cannot be closed while the request runs. */
export function PasscodeSheet({ ways, amount, passcode, passkey, isAsking, isBusy, close, focusAfter }: Props) {
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
        {ways.hasPasscode && (
          <>
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
          </>
        )}
        {ways.hasPasskey && (
          <PasskeyButton
            look={ways.hasPasscode ? "quiet" : "main"}
            label={text("proof.byPasskey")}
            isBusy={passkey.isBusy || isBusy}
            error={passkey.error}
            onPress={() => void passkey.begin(amount)}
          />
        )}
      </form>
    </Sheet>
  );
}
