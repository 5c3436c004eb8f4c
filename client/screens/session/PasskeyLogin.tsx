import { useEffect, useEffectEvent, useRef, useState } from "react";
import { answer, fillsIn, hasPasskeys, isOurs, NoPasskey, stopAsking } from "#client/api/passkey.ts";
import type { RequestOptions } from "#shared/contract/passkeys.ts";
import { call } from "#client/api/call.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { PasskeyButton } from "#client/components/PasskeyButton.tsx";
import { usePasskey, usePasskeyFailure } from "#client/hooks/use-passkey.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { passkeyLogin, passkeyLoginOptions } from "#shared/contract/passkeys.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { useEntered } from "./use-entry-form.ts";

/** A challenge in a field's list is replaced this long before its end. */
const SPARE_MS = MINUTE_MS;

const newOptions = () => call(passkeyLoginOptions);

interface Props {
  /** Hears why the house did not let a passkey in. */
  onFailure: (error: unknown) => void;
}

/** Logs in with a passkey, by its button or from the list of the name's field, where the site has passkeys. */
export function PasskeyLogin({ onFailure }: Props) {
  const { data: options } = useEndpoint(passkeyLoginOptions, {}, { enabled: hasPasskeys(), staleTime: Infinity });
  return options && isOurs(options.rpId) ? <Offer onFailure={onFailure} /> : null;
}

function Offer({ onFailure }: Props) {
  const text = useText();
  const lang = useLanguage();
  const entered = useEntered();
  const enter = async (passkey: string) => {
    try {
      entered(await call(passkeyLogin, { passkey, lang }));
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  const failure = usePasskeyFailure();
  const [refusal, refuse] = useState<string>();
  const filled = useFilledIn(
    (passkey) => enter(passkey),
    (no) => refuse(failure(no)),
  );
  const insist = useInsistence();
  const { begin, error, isBusy } = usePasskey<null>({
    ask: async () => insist(await newOptions()),
    send: (_, passkey) => enter(passkey),
  });
  const press = async () => {
    refuse(undefined);
    // The browser answers one question at a time: the button's takes the place of the field's.
    filled.hold();
    if (!(await begin(null))) filled.ask();
  };
  return (
    <PasskeyButton
      label={text("session.byPasskey")}
      isBusy={isBusy}
      error={error ?? refusal}
      onPress={() => void press()}
    />
  );
}

/** Asks the button's question. A field's question that was about to begin may end it: then it is asked again. */
function useInsistence() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return (options: RequestOptions) =>
    answer(options).catch((no: unknown) => {
      if (no instanceof NoPasskey && no.isReplaced && isShown.current) return answer(options);
      throw no;
    });
}

/** Asks in the list of the name's field, again before each challenge ends, until the screen is left. */
function useFilledIn(onAnswer: (passkey: string) => Promise<unknown>, onRefused: (no: unknown) => void) {
  const [asked, setAsked] = useState(0);
  const isHeld = useRef(false);
  const ask = () => {
    isHeld.current = false;
    setAsked((before) => before + 1);
  };
  /** A question that is about to be asked is not: it would end the button's. */
  const hold = () => void (isHeld.current = true);
  const wait = useEffectEvent(async (isLeft: () => boolean): Promise<number | undefined> => {
    const options = await newOptions();
    if (isLeft() || isHeld.current) return undefined;
    void answer(options, { fill: true })
      .then(onAnswer)
      .catch((no: unknown) => {
        // A question that was withdrawn has no answer.
        if (!(no instanceof NoPasskey)) onRefused(no);
      });
    return window.setTimeout(ask, options.timeout - SPARE_MS);
  });
  useEffect(() => {
    let isOver = false;
    let timer: number | undefined;
    const start = async () => {
      if (!(await fillsIn())) return;
      timer = await wait(() => isOver).catch(() => undefined);
      if (isOver) clearTimeout(timer);
    };
    void start();
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (timer !== undefined) void stopAsking();
    };
  }, [asked]);
  return { ask, hold };
}
