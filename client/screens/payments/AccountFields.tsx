import { Facts } from "#client/components/Card.tsx";
import { SelectField } from "#client/components/SelectField.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { getBankList } from "#shared/contract/withdrawals.ts";
import type { AccountFieldsState } from "./use-account-fields.ts";

interface Props {
  account: AccountFieldsState;
  banks: ReplyOf<typeof getBankList>;
  /** Empty until the member has set a real name. */
  realName: string;
}

/** Bank, number, holder and mobile of the single account to bind. */
export function AccountFields({ account: { field }, banks, realName }: Props) {
  const text = useText();
  return (
    <>
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
    </>
  );
}

/** What is about to be bound, to be read once more. */
export function AccountCheck({ input: { bank, bankid, username } }: { input: AccountFieldsState["input"] }) {
  const text = useText();
  const number = (
    <span key="number" className="figures break-all">
      {bankid}
    </span>
  );
  return (
    <>
      <Facts
        facts={[
          [text("bank.bank"), bank],
          [text("bank.number"), number],
          [text("bank.holder"), username],
        ]}
      />
      <p className="rounded-md bg-brand-soft px-4 py-3 text-sm">{text("bank.check")}</p>
    </>
  );
}
