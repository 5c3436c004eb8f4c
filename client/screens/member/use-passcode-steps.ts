import { useState } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { PASSCODE_LENGTH } from "#client/text/typed-digits.ts";

export type Step = "old" | "first" | "repeat";
export type Typed = Record<Step, string>;

interface Feedback {
  /** An error about the passcode on the screen. */
  fault?: string | undefined;
  /** An error about the whole form. */
  refusal?: string | undefined;
}

const NOTHING: Typed = { old: "", first: "", repeat: "" };

/** The steps for typing passcodes. A mismatch or a weak one returns to the new passcode; a wrong old one, to the old. */
export function usePasscodeSteps(steps: readonly Step[], send: (typed: Typed) => Promise<unknown>) {
  const text = useText();
  const { step, typed, type, feedback, setFeedback, turnTo } = useSteps(steps);
  const sendAll = useSending(send, {
    onWrong: (fault) => turnTo("old", { old: "" }, { fault }),
    onWeak: (fault) => turnTo("first", { first: "", repeat: "" }, { fault }),
    onRefused: (refusal) => setFeedback({ refusal }),
  });
  const go = async (digits: string) => {
    if (digits.length < PASSCODE_LENGTH) return setFeedback({ fault: text("withdraw.sixDigits") });
    const now = { ...typed, [step]: digits };
    const missing = steps.find((one) => now[one].length < PASSCODE_LENGTH);
    if (missing) return turnTo(missing, {});
    if (now.first === now.repeat) return sendAll(now);
    turnTo("first", { first: "", repeat: "" }, { fault: text("passcode.mismatch") });
  };
  return { ...feedback, step, value: typed[step], type, go, restart: () => turnTo(steps[0]!, NOTHING) };
}

/** The current step, the passcodes typed so far, and the feedback on them. */
function useSteps(steps: readonly Step[]) {
  const [step, goTo] = useState(steps[0]!);
  const [typed, setTyped] = useState(NOTHING);
  const [feedback, setFeedback] = useState<Feedback>({});
  const turnTo = (wanted: Step, cleared: Partial<Typed>, feedback: Feedback = {}) => {
    setTyped((before) => ({ ...before, ...cleared }));
    goTo(wanted);
    setFeedback(feedback);
  };
  const type = (value: string) => {
    setTyped((before) => ({ ...before, [step]: value }));
    setFeedback({});
  };
  return { step, typed, type, feedback, setFeedback, turnTo };
}

interface Noes {
  onWrong: (feedback: string) => void;
  /** The server refuses the new passcode itself. */
  onWeak: (feedback: string) => void;
  onRefused: (feedback: string) => void;
}

function useSending(send: (typed: Typed) => Promise<unknown>, { onWrong, onWeak, onRefused }: Noes) {
  const failure = useFailureText();
  return async (typed: Typed) => {
    try {
      await send(typed);
    } catch (error) {
      const isWrong = error instanceof RefusedCall && error.reason === "passcode.wrong";
      if (isWrong) onWrong(failure(error));
      else if (error instanceof RefusedCall && "paypassword" in error.fields) onWeak(failure(error));
      else onRefused(failure(error));
    }
  };
}
