import { Button } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { SelectField } from "#client/components/SelectField.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useBindForm } from "./use-bind-form.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { getBankList } from "#shared/contract/withdrawals.ts";

interface Props {
  banks: ReplyOf<typeof getBankList>;
  /** Empty until the member has set a real name. */
  realName: string;
  onBound: () => void;
}

/** Bank, number, holder and mobile of the single account to bind. */
export function BindForm({ banks, realName, onBound }: Props) {
  const text = useText();
  const { field, form, refusal, isBusy } = useBindForm(banks, realName, onBound);
  return (
    <form {...form} className="flex flex-col gap-5">
      <p className="rounded-md bg-brand-soft px-4 py-3 text-sm">{text("bank.once")}</p>
      <SelectField {...field("bank_code")} label={text("bank.bank")} none={text("bank.choose")} options={banks} />
      <TextField
        {...field("bankid")}
        label={text("bank.number")}
        hint={text("bank.numberHint")}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="figures"
      />
      <TextField
        {...field("username")}
        label={text("bank.holder")}
        hint={text(realName ? "bank.holderKnown" : "bank.holderHint")}
        autoComplete="name"
        readOnly={realName !== ""}
      />
      <TextField {...field("mobile")} label={text("bank.mobile")} type="tel" inputMode="tel" autoComplete="tel" />
      {refusal && <Refusal>{refusal}</Refusal>}
      <Button type="submit" isBusy={isBusy}>
        {text("bank.save")}
      </Button>
    </form>
  );
}
