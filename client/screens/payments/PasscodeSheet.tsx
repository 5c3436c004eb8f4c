import type { SubmitEvent } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { PasskeyButton } from "#client/components/PasskeyButton.tsx";
import { PasscodePad } from "#client/components/PasscodePad.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/text/use-text.ts";
import { AccountCheck } from "./AccountFields.tsx";
import type { AccountFieldsState } from "./use-account-fields.ts";
import type { useWithdrawal, Ways } from "./use-withdrawal.ts";

interface Props {
  ways: Ways;
  /** The amount in whole units. */
  amount: string;
  /** The account to bind first; null when one is bound. */
  account: AccountFieldsState["input"] | null;
  passcode: ReturnType<typeof useWithdrawal>["passcode"];
  passkey: ReturnType<typeof useWithdrawal>["passkey"];
  isAsking: boolean;
  isBusy: boolean;
  close: () => void;
  focusAfter: () => HTMLElement | null;
}

/** Asks for the passcode or a passkey before a withdrawal. It cannot be closed while the request runs. */
export function PasscodeSheet({ ways, amount, account, passkey, isAsking, isBusy, close, focusAfter, ...rest }: Props) {
  const text = useText();
  const isPad = ways.hasPasscode || !ways.hasPasskey;
  return (
    <Sheet title={text("withdraw.title")} isOpen={isAsking} onClose={() => isBusy || close()} focusAfter={focusAfter}>
      <div className="flex flex-col gap-4">
        <p className="text-center text-xl font-bold">
          <Amount value={`${amount || "0"}.00`} hasUnit />
        </p>
        {account && <AccountCheck input={account} />}
        {isPad && <PasscodeForm isNew={!ways.hasPasscode} isBusy={isBusy} {...rest} />}
        {ways.hasPasskey && (
          <PasskeyButton
            look={ways.hasPasscode ? "quiet" : "main"}
            label={text("proof.byPasskey")}
            isBusy={passkey.isBusy || isBusy}
            error={passkey.error}
            onPress={() => void passkey.begin(amount)}
          />
        )}
      </div>
    </Sheet>
  );
}

interface FormProps extends Pick<Props, "passcode" | "isBusy"> {
  /** The passcode is chosen here: shown in digits, and sent by a press, as nothing else would show a slip. */
  isNew: boolean;
}

function PasscodeForm({ isNew, isBusy, passcode: { digits, error, type, confirm } }: FormProps) {
  const text = useText();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // React bubbles the event to the withdrawal form, which must not submit again.
    event.stopPropagation();
    if (!isBusy) confirm(digits);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {isNew && <p className="text-center text-sm text-muted">{text("passcode.hint")}</p>}
      <PasscodePad
        name="paypwd"
        label={text(isNew ? "passcode.first" : "withdraw.passcode")}
        value={digits}
        onValue={type}
        {...(!isNew && { onFull: confirm })}
        isBusy={isBusy}
        isShown={isNew}
        error={error}
      />
      {(isNew || (error !== undefined && digits !== "")) && (
        <Button type="submit" isBusy={isBusy}>
          {text(isNew ? "withdraw.send" : "action.retry")}
        </Button>
      )}
    </form>
  );
}
