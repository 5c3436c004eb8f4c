import { register, signIn } from "./api.ts";
import { useWork } from "./use-work.ts";

/** Signs in by passkey, or adds the passkey that an invitation is for. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const { isBusy, failure, work } = useWork();
  const token = /^#invite=([\w-]+)$/.exec(window.location.hash)?.[1];
  const enter = async () => {
    await (token === undefined ? signIn() : register(token));
    // The link is used up, and stays in no history.
    if (token !== undefined) window.history.replaceState(null, "", "/");
    onDone();
  };
  return (
    <main className="alone">
      <h1>Console</h1>
      <p>
        {token === undefined
          ? "For the operators of this site. You sign in with your passkey."
          : "You are invited. Add a passkey on this device: you will sign in with it."}
      </p>
      <button type="button" className="first" aria-disabled={isBusy} onClick={() => void work(enter)}>
        {token === undefined ? "Sign in with a passkey" : "Add a passkey"}
      </button>
      {failure !== "" && <p role="alert">{failure}</p>}
    </main>
  );
}
