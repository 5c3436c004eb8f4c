import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useBack } from "#client/app/use-go.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import type { Text } from "#client/text/i18n.ts";
import { setLoginPassword } from "#shared/contract/session.ts";

const NAMES = ["old_password", "new_password", "repeat"] as const;
type Name = (typeof NAMES)[number];
type Values = Record<Name, string>;
type Faults = Partial<Values>;

/** The three fields of a password change, their errors, and the submit handler. */
export function usePasswordForm() {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>({ old_password: "", new_password: "", repeat: "" });
  const { faults, refusal, show } = useFaults(form);
  const { isPending, save } = useSaving(show);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = faultsOf(values, text);
    show(found);
    if (Object.keys(found).length === 0) save(values);
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: faults[name],
    "aria-required": true,
    onValue: (value: string) => setValues({ ...values, [name]: value }),
  });
  return { field, refusal, isBusy: isPending, form: { ref: form, onSubmit, noValidate: true } };
}

function faultsOf(values: Values, text: Text): Faults {
  const empty = NAMES.filter((name) => values[name] === "");
  if (empty.length > 0) return Object.fromEntries(empty.map((name) => [name, text("password.fill")]));
  return values.new_password === values.repeat ? {} : { repeat: text("password.mismatch") };
}

type Show = (faults: Faults, refusal?: string) => void;

/** The errors. The first invalid field gets the focus. */
function useFaults(form: { current: HTMLFormElement | null }) {
  const [feedback, setFeedback] = useState<{ faults: Faults; refusal?: string | undefined }>({ faults: {} });
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, feedback]);
  const show: Show = (faults, refusal) => setFeedback({ faults, refusal });
  return { ...feedback, show };
}

function useSaving(show: Show) {
  const text = useText();
  const failure = useFailureText();
  const back = useBack();
  const { mutate, isPending } = useWrite(setLoginPassword, () => {
    showToast(text("password.saved"), "good");
    back();
  });
  const onError = (error: Error) => {
    const fields: Faults = error instanceof RefusedCall ? error.fields : {};
    if (error instanceof RefusedCall && error.reason === "password.wrong") show({ old_password: error.message });
    else if (NAMES.some((name) => fields[name])) show(fields);
    else show({}, failure(error));
  };
  const save = ({ old_password, new_password }: Values) => mutate({ old_password, new_password }, { onError });
  return { isPending, save };
}
