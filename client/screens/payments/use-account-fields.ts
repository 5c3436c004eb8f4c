import { useEffect, useRef, useState } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { setBank, type getBankList } from "#shared/contract/withdrawals.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";

const EMPTY = { bank_code: "", bankid: "", username: "", mobile: "" };
type Values = typeof EMPTY;
type Name = keyof Values;

/** Normalises an account number: half-width characters, without spaces, dots and hyphens. */
const bare = (typed: string) => typed.normalize("NFKC").replaceAll(/[\s.-]/g, "");

/** The fields of a bank account: typed values stay, and errors show at their fields. */
export function useAccountFields(banks: ReplyOf<typeof getBankList>, realName: string) {
  const [values, setValues] = useState<Values>({ ...EMPTY, username: realName });
  const [faults, setFaults] = useState<Partial<Values>>({});
  const wrongIn = useProblems();
  const { mutateAsync, isPending } = useWrite(setBank, () => undefined);
  const { bank_code, bankid, username, mobile } = values;
  const bank = banks.find(({ value }) => value === bank_code)?.text ?? bank_code;
  const input = { bank_code, bank, bankid: bare(bankid), username: username.trim(), mobile: mobile.trim() };
  /** Marks the fields that are wrong; true when none is. */
  const check = (): boolean => {
    const wrong = wrongIn(values);
    setFaults(wrong);
    return Object.keys(wrong).length === 0;
  };
  /** Marks the fields that the server refused; false when it refused none of them. */
  const refuse = (no: unknown): boolean => {
    const fields = no instanceof RefusedCall ? no.fields : {};
    if (!Object.keys(EMPTY).some((name) => name in fields)) return false;
    setFaults(fields);
    return true;
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: faults[name],
    onValue: (value: string) => {
      setValues({ ...values, [name]: value });
      setFaults(({ [name]: _forgiven, ...rest }) => rest);
    },
  });
  return { field, input, check, refuse, bind: () => mutateAsync(input), isBusy: isPending };
}

export type AccountFieldsState = ReturnType<typeof useAccountFields>;

function useProblems(): (values: Values) => Partial<Values> {
  const text = useText();
  return ({ bank_code, bankid, username, mobile }) => ({
    ...(bank_code === "" && { bank_code: text("bank.choose") }),
    ...(!/^(?=.*\d)[A-Za-z0-9]{6,34}$/.test(bare(bankid)) && { bankid: text("bank.numberHint") }),
    ...(username.trim() === "" && { username: text("bank.fill") }),
    ...(mobile !== "" && !/^\+?\d[\d -]{4,18}$/.test(mobile.trim()) && { mobile: text("bank.wrongMobile") }),
  });
}

/** A form whose first invalid field gets the focus after each refused attempt. */
export function useFocusOnWrong() {
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  const wrongField = () => form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? null;
  useEffect(() => {
    wrongField()?.focus();
  }, [attempt]);
  return { form, wrongField, focusWrong: () => setAttempt((before) => before + 1) };
}
