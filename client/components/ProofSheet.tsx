import { useEffect, useState, type SubmitEvent } from "react";
import { bus } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { settleSheet } from "#client/api/proof.ts";
import { hasPasskeys } from "#client/api/passkey.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { answerFor, usePasskey } from "#client/hooks/use-passkey.ts";
import type { TextKey } from "#client/text/i18n.ts";
import { PASSCODE_LENGTH } from "#client/text/typed-digits.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { prove, securityState } from "#shared/contract/security.ts";
import { Button } from "./Button.tsx";
import { FailedNote } from "./Notes.tsx";
import { PasskeyButton } from "./PasskeyButton.tsx";
import { PasscodePad } from "./PasscodePad.tsx";
import { Sheet } from "./Sheet.tsx";
import { Skeleton } from "./Skeleton.tsx";
import { TextField } from "./TextField.tsx";

/** Whoever waits for the member's proof. */
type Waiting = (isProven: boolean) => void;

/** Asks the member for the password or the passcode wherever the server wants to know anew who they are. */
export default function ProofSheet() {
  const text = useText();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  useEffect(() => {
    const ask = ({ resolve }: { resolve: Waiting }) => setWaiting((before) => [...before, resolve]);
    bus.on("proof", ask);
    settleSheet();
    return () => bus.off("proof", ask);
  }, []);
  const end = (isProven: boolean) => {
    for (const resolve of waiting) resolve(isProven);
    setWaiting([]);
  };
  return (
    <Sheet title={text("proof.title")} isOpen={waiting.length > 0} onClose={() => end(false)}>
      <p className="mb-4 text-sm text-muted">{text("proof.why")}</p>
      <Ways onProven={() => end(true)} />
    </Sheet>
  );
}

function Ways({ onProven }: { onProven: () => void }) {
  const { data, isError, error, refetch } = useEndpoint(securityState, {}, { staleTime: 0 });
  if (data) return <Ask ways={data} onProven={onProven} />;
  return isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-32" />;
}

type Typed = "password" | "passcode";
type Way = "passkey" | Typed;

/** The ways to prove it, the easiest first. */
const WAYS: readonly (readonly [way: Way, label: TextKey])[] = [
  ["passkey", "proof.byPasskey"],
  ["password", "proof.byPassword"],
  ["passcode", "proof.byPasscode"],
];

function Ask({ ways, onProven }: { ways: ReplyOf<typeof securityState>; onProven: () => void }) {
  const text = useText();
  const [wanted, setWay] = useState<Way>("passkey");
  const own = WAYS.filter(([way]) => ways[way] === 1 && (way !== "passkey" || hasPasskeys()));
  const [way] = own.find(([way]) => way === wanted) ?? own[0] ?? [];
  if (way === undefined) return <p className="pb-2">{text("proof.again")}</p>;
  const others = own.filter(([other]) => other !== way);
  return (
    <div className="flex flex-col gap-3">
      {way === "passkey" ? <PasskeyProof onProven={onProven} /> : <ProofForm key={way} way={way} onProven={onProven} />}
      {others.map(([other, label]) => (
        <Button key={other} look="bare" onClick={() => setWay(other)}>
          {text(label)}
        </Button>
      ))}
    </div>
  );
}

function PasskeyProof({ onProven }: { onProven: () => void }) {
  const text = useText();
  const { begin, error, isBusy } = usePasskey<null>({
    ask: () => answerFor("prove"),
    send: (_, passkey) => call(prove, { passkey }),
  });
  const press = async () => {
    if (await begin(null)) onProven();
  };
  return (
    <PasskeyButton
      look="main"
      label={text("proof.byPasskey")}
      isBusy={isBusy}
      error={error}
      onPress={() => void press()}
    />
  );
}

function ProofForm({ way, onProven }: { way: Typed; onProven: () => void }) {
  const text = useText();
  const { typed, type, error, isBusy, send } = useProof(way, onProven);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // React bubbles the event to a form that the sheet was opened from.
    event.stopPropagation();
    void send(typed);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {way === "password" ? (
        <TextField
          name="password"
          label={text("session.password")}
          type="password"
          autoComplete="current-password"
          enterKeyHint="go"
          value={typed}
          onValue={type}
          error={error}
        />
      ) : (
        <PasscodePad
          {...{ isBusy, error }}
          name="passcode"
          label={text("passcode.title")}
          value={typed}
          onValue={type}
          onFull={(digits) => void send(digits)}
        />
      )}
      {(way === "password" || (error && typed)) && (
        <Button type="submit" isBusy={isBusy}>
          {text(way === "password" ? "action.confirm" : "action.retry")}
        </Button>
      )}
    </form>
  );
}

/** What is typed, and its way to the server. A wrong secret is cleared. */
function useProof(way: Typed, onProven: () => void) {
  const text = useText();
  const failure = useFailureText();
  const [typed, setTyped] = useState("");
  const [error, say] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const type = (value: string) => {
    setTyped(value);
    say(undefined);
  };
  const send = async (typed: string) => {
    if (isBusy) return;
    if (way === "passcode" && typed.length < PASSCODE_LENGTH) return say(text("withdraw.sixDigits"));
    if (typed === "") return say(text("session.enterPassword"));
    setBusy(true);
    try {
      await call(prove, { [way]: typed });
      onProven();
    } catch (no) {
      // What was lost on the way may be sent again as it is.
      if (no instanceof RefusedCall && !no.lost) setTyped("");
      say(failure(no));
    } finally {
      setBusy(false);
    }
  };
  return { typed, type, error, isBusy, send };
}
