import { useState } from "react";
import { register, signIn } from "./api.ts";

/** Signs in by passkey, or adds the passkey that an invitation is for. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const token = /^#invite=([\w-]+)$/.exec(window.location.hash)?.[1];
  const enter = async () => {
    setBusy(true);
    setFailure("");
    try {
      await (token === undefined ? signIn() : register(token));
      // The link is used up, and stays in no history.
      if (token !== undefined) window.history.replaceState(null, "", "/");
      onDone();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="alone">
      <h1>Console</h1>
      <p>
        {token === undefined
          ? "For the operators of this site. You sign in with your passkey."
          : "You are invited. Add a passkey on this device: you will sign in with it."}
      </p>
      <button type="button" className="first" disabled={isBusy} onClick={() => void enter()}>
        {token === undefined ? "Sign in with a passkey" : "Add a passkey"}
      </button>
      {failure !== "" && <p role="alert">{failure}</p>}
    </main>
  );
}
