import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { doLogin } from "#shared/contract/session.ts";

type Entered = ReplyOf<typeof doLogin>;
type Texts<Name extends string> = Record<Name, string>;
type Faults<Name extends string> = Partial<Texts<Name>>;

interface Plan<Name extends string> {
  /** The fields, each with its error text when empty. */
  asks: Record<Name, TextKey>;
  /** Whether the rest of the form is valid; it shows its own errors. */
  isReady?: () => boolean;
  /** The error of a login attempt elsewhere that led here. */
  refused?: string | undefined;
  send: (values: Texts<Name>) => Promise<Entered>;
}

/**
 * A form that logs in, once however often it is submitted. The typed values stay after a refusal, which appears at its
 * field or in `refusal`.
 */
export function useEntryForm<Name extends string>({ asks, isReady = () => true, refused, send }: Plan<Name>) {
  const text = useText();
  const names = Object.keys(asks) as Name[];
  const [values, setValues] = useState(() => Object.fromEntries(names.map((name) => [name, ""])) as Texts<Name>);
  const { faults, forgive, refuse, refusal, form } = useFaults(names, refused);
  const { isBusy, enter } = useEntering(send, refuse);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const empty = names.filter((name) => values[name] === "");
    const isInOrder = isReady();
    refuse({ fields: Object.fromEntries(empty.map((name) => [name, text(asks[name])])) });
    if (isInOrder && empty.length === 0) void enter(values);
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: faults[name],
    "aria-required": true,
    onValue: (value: string) => {
      setValues({ ...values, [name]: value });
      forgive(name);
    },
  });
  return { field, refusal, isBusy, form: { ref: form, onSubmit, noValidate: true } };
}

interface No {
  fields: Record<string, string>;
  refusal?: string;
}

/** The errors by field. After each attempt the first invalid field gets the focus. */
function useFaults<Name extends string>(names: Name[], refused: string | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<Faults<Name>>({});
  const [refusal, setRefusal] = useState(refused);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);

  const refuse = ({ fields, refusal }: No) => {
    const ours = names.filter((name) => fields[name] !== undefined);
    const others = Object.keys(fields).filter((name) => !ours.some((our) => our === name));
    setFaults(Object.fromEntries(ours.map((name) => [name, fields[name]])) as Faults<Name>);
    setRefusal(refusal ?? (others.map((name) => fields[name]).join(" · ") || undefined));
    setAttempt((before) => before + 1);
  };
  const forgive = (name: Name) => setFaults(({ [name]: _forgiven, ...rest }) => rest as Faults<Name>);
  return { form, faults, refusal, refuse, forgive };
}

/** Sends the form and stores the session it returns; listeners of the storage then navigate. */
function useEntering<Values>(send: (values: Values) => Promise<Entered>, refuse: (no: No) => void) {
  const text = useText();
  const failure = useFailureText();
  const [isBusy, setBusy] = useState(false);
  const isUnderway = useRef(false);
  const enter = async (values: Values) => {
    if (isUnderway.current) return;
    isUnderway.current = true;
    setBusy(true);
    try {
      const { token, tokensso, user } = await send(values);
      // The token comes last, so its listeners find the other one stored.
      writeStored("tokensso", tokensso);
      writeStored("token", token);
      showToast(text("session.welcome", { name: user.username }), "good");
    } catch (error) {
      const fields = error instanceof RefusedCall ? error.fields : {};
      refuse(Object.keys(fields).length > 0 ? { fields } : { fields, refusal: failure(error) });
    } finally {
      isUnderway.current = false;
      setBusy(false);
    }
  };
  return { isBusy, enter };
}
