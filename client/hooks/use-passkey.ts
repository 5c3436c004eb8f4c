import { useRef, useState } from "react";
import { answer, hasPasskeys, NoPasskey } from "#client/api/passkey.ts";
import { call } from "#client/api/call.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { isLost } from "#client/machines/lost.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { passkeyProofOptions } from "#shared/contract/passkeys.ts";
import { securityState } from "#shared/contract/security.ts";

/** Whether the member has a passkey that answers on this page; undefined while that is not known. */
export function useHasPasskey(): boolean | undefined {
  const { data, isError } = useEndpoint(securityState, {}, { staleTime: 0, enabled: hasPasskeys() });
  // Nobody waits for an answer that does not come: the passcode is there.
  if (!hasPasskeys() || (isError && !data)) return false;
  return data && data.passkey === 1;
}

/** What went wrong with a passkey, in the member's language. */
export function usePasskeyFailure(): (error: unknown) => string {
  const text = useText();
  const failure = useFailureText();
  return (error) => {
    if (!(error instanceof NoPasskey)) return failure(error);
    return text(error.isThere ? "passkeys.there" : "passkeys.stopped");
  };
}

interface Plan<I> {
  ask: (input: I) => Promise<string>;
  /** Throws what the server said. */
  send: (input: I, passkey: string) => Promise<unknown>;
  /** Names what must not be done twice, though the member leaves the screen before it is answered. */
  once?: string;
}

/** Answers of passkeys whose outcome is unknown, by what they confirm. */
type Unanswered = Map<string, string>;
const onAnyScreen: Unanswered = new Map();

/**
 * Asks for a passkey's answer and sends it. While the outcome is unknown, the same answer is sent again: it takes effect
 * once. Returns false when it went wrong, which `error` then says.
 */
export function usePasskey<I>({ ask, send, once }: Plan<I>) {
  const failure = usePasskeyFailure();
  const [error, say] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { current: unanswered } = useRef<Unanswered>(once === undefined ? new Map() : onAnyScreen);
  const begin = async (input: I): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    say(undefined);
    const wish = `${once} ${JSON.stringify(input)}`;
    const known = unanswered.get(wish);
    try {
      const passkey = known ?? (await ask(input));
      unanswered.set(wish, passkey);
      await send(input, passkey);
      unanswered.delete(wish);
      return true;
    } catch (no) {
      if (!isLost(no, known !== undefined)) unanswered.delete(wish);
      say(failure(no));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { begin, error, isBusy, reset: () => say(undefined) };
}

/** An answer to a challenge for this purpose, of one of the member's passkeys. */
export const answerFor = async (purpose: "prove" | "withdraw"): Promise<string> =>
  answer(await call(passkeyProofOptions, { purpose }));
