import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getUserBankInfo, setBank, type getBankList } from "#shared/contract/withdrawals.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";

const EMPTY = { bank_code: "", bankid: "", username: "", mobile: "" };
type Values = typeof EMPTY;
type Name = keyof Values;

/** Normalises an account number: half-width characters, without spaces, dots and hyphens. */
const bare = (typed: string) => typed.normalize("NFKC").replaceAll(/[\s.-]/g, "");

/** The bank account form: typed values stay, and errors show at their fields. */
export function useBindForm(banks: ReplyOf<typeof getBankList>, realName: string, onBound: () => void) {
  const text = useText();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const [values, setValues] = useState<Values>({ ...EMPTY, username: realName });
  const { form, faults, refuse, forgive } = useFaults();
  const { mutate, isPending, error } = useWrite(setBank, () => {
    for (const { path } of [getUserInfo, getUserBankInfo]) void queryClient.invalidateQueries({ queryKey: [path] });
    showToast(text("bank.saved"), "good");
    onBound();
  });

  const wrongIn = ({ bank_code, bankid, username, mobile }: Values): Partial<Values> => ({
    ...(bank_code === "" && { bank_code: text("bank.choose") }),
    ...(!/^(?=.*\d)[A-Za-z0-9]{6,34}$/.test(bare(bankid)) && { bankid: text("bank.numberHint") }),
    ...(username.trim() === "" && { username: text("bank.fill") }),
    ...(mobile !== "" && !/^\+?\d[\d -]{4,18}$/.test(mobile.trim()) && { mobile: text("bank.wrongMobile") }),
  });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong = wrongIn(values);
    refuse(wrong);
    if (Object.keys(wrong).length > 0) return;
    const { bank_code, bankid, username, mobile } = values;
    const bank = banks.find(({ value }) => value === bank_code)?.text ?? bank_code;
    const input = { bank_code, bank, bankid: bare(bankid), username: username.trim(), mobile: mobile.trim() };
    mutate(input, { onError: (no) => refuse(no instanceof RefusedCall ? no.fields : {}) });
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: faults[name],
    onValue: (value: string) => {
      setValues({ ...values, [name]: value });
      forgive(name);
    },
  });
  const isAtField = error instanceof RefusedCall && Object.keys(error.fields).length > 0;
  const refusal = error && !isAtField ? failure(error) : undefined;
  return { field, refusal, isBusy: isPending, form: { ref: form, onSubmit, noValidate: true } };
}

/** Errors by field. After each failed attempt the first invalid field gets focus. */
function useFaults() {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);
  const refuse = (wrong: Partial<Values>) => {
    setFaults(wrong);
    setAttempt((before) => before + 1);
  };
  const forgive = (name: Name) => setFaults(({ [name]: _forgiven, ...rest }) => rest);
  return { form, faults, refuse, forgive };
}
