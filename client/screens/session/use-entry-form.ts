import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { doLogin } from "#shared/contract/session.ts";
import { DIVIDER } from "#shared/format.ts";
import { SECOND_MS } from "#shared/time.ts";

type Entered = ReplyOf<typeof doLogin>;
type Texts<Name extends string> = Record<Name, string>;
type Faults<Name extends string> = Partial<Texts<Name>>;

interface Plan<Name extends string> {
  /** The fields, each with its error text when empty. */
  asks: Partial<Record<Name, TextKey>>;
  /** What the fields hold at first. */
  begin?: Faults<Name>;
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
export function useEntryForm<Name extends string>({
  asks,
  begin = {},
  isReady = () => true,
  refused,
  send,
}: Plan<Name>) {
  const text = useText();
  const names = Object.keys(asks) as Name[];
  const [typed, setTyped] = useState<Faults<Name>>(begin);
  const values = Object.fromEntries(names.map((name) => [name, typed[name] ?? ""])) as Texts<Name>;
  const { faults, forgive, refuse, refusal, form } = useFaults(names, refused);
  const { isBusy, waitS, enter } = useEntering(send, refuse);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const empty = names.filter((name) => values[name] === "");
    const isInOrder = isReady();
    refuse({ fields: Object.fromEntries(empty.map((name) => [name, text(asks[name]!)])) });
    if (isInOrder && empty.length === 0) void enter(values);
  };
  const field = (name: Name) => ({
    name,
    value: typed[name] ?? "",
    error: faults[name],
    "aria-required": true,
    onValue: (value: string) => {
      setTyped({ ...typed, [name]: value });
      forgive(name);
    },
  });
  const waiting = waitS === null ? undefined : text("session.goesOn", { seconds: waitS });
  return { field, refusal: waiting ?? refusal, isBusy, form: { ref: form, onSubmit, noValidate: true } };
}

/** What this device kept of an earlier log-in of the member with this name. */
export const readDevice = (username: string): string | undefined =>
  readStored(`device ${username.trim().toLowerCase()}`) ?? undefined;

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
    setRefusal(refusal ?? (others.map((name) => fields[name]).join(DIVIDER) || undefined));
    setAttempt((before) => before + 1);
  };
  const forgive = (name: Name) => setFaults(({ [name]: _forgiven, ...rest }) => rest as Faults<Name>);
  return { form, faults, refusal, refuse, forgive };
}

/** Stores a session that was opened; listeners of the storage then navigate. */
export function useEntered(): (entered: Entered) => void {
  const text = useText();
  return ({ token, tokensso, device, user }) => {
    // The token comes last, so its listeners find the other one stored.
    if (device !== "") writeStored(`device ${user.username}`, device);
    writeStored("tokensso", tokensso);
    writeStored("token", token);
    showToast(text("session.welcome", { name: user.username }), "good");
  };
}

/** Sends the form. */
function useEntering<Values>(send: (values: Values) => Promise<Entered>, refuse: (no: No) => void) {
  const entered = useEntered();
  const failure = useFailureText();
  const [isBusy, setBusy] = useState(false);
  const [wait, setWait] = useState<Wait<Values> | null>(null);
  const isUnderway = useRef(false);
  const enter = async (values: Values) => {
    if (isUnderway.current) return;
    isUnderway.current = true;
    setBusy(true);
    try {
      entered(await send(values));
    } catch (error) {
      if (isCrowded(error)) {
        refuse({ fields: {} });
        return setWait({ values, seconds: error.retryAfterS });
      }
      const fields = error instanceof RefusedCall ? error.fields : {};
      refuse(Object.keys(fields).length > 0 ? { fields } : { fields, refusal: failure(error) });
    } finally {
      isUnderway.current = false;
      setBusy(false);
    }
  };
  useWait(wait, setWait, (values) => void enter(values));
  return { isBusy: isBusy || wait !== null, waitS: wait?.seconds ?? null, enter };
}

/** Many people are at the door: the same values are sent again after so many seconds. */
interface Wait<Values> {
  values: Values;
  seconds: number;
}

const isCrowded = (error: unknown): error is RefusedCall & { retryAfterS: number } =>
  error instanceof RefusedCall && error.reason === "attempts.many" && error.retryAfterS !== undefined;

/** Counts down and goes on by itself. A screen that is left sends nothing. */
function useWait<Values>(
  wait: Wait<Values> | null,
  setWait: (wait: Wait<Values> | null) => void,
  goOn: (values: Values) => void,
): void {
  const next = useEffectEvent(() => {
    const seconds = wait!.seconds - 1;
    if (seconds > 0) return setWait({ ...wait!, seconds });
    setWait(null);
    goOn(wait!.values);
  });
  useEffect(() => {
    if (wait === null) return undefined;
    const timer = setTimeout(next, SECOND_MS);
    return () => clearTimeout(timer);
  }, [wait]);
}
