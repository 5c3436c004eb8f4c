import { LogOut } from "lucide-react";
import { useState } from "react";
import { call } from "#client/api/call.ts";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/text/use-text.ts";
import { leave } from "#client/app/live.ts";
import { doLogout } from "#shared/contract/session.ts";

/** The longest wait for the server's answer to a logout. */
const PATIENCE_MS = 4_000;

/** Logout, after a confirmation. */
export function Logout() {
  const text = useText();
  const [isAsked, ask] = useState(false);
  const { isBusy, logOut } = useLogout();
  return (
    <>
      <Button look="quiet" className="w-full" onClick={() => ask(true)}>
        <LogOut size={20} aria-hidden />
        {text("session.logout")}
      </Button>
      <Sheet kind="pop" title={text("session.logout")} isOpen={isAsked} onClose={() => ask(false)}>
        <p className="mb-4">{text("session.logoutAsk")}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="quiet" className="flex-1" onClick={() => ask(false)}>
            {text("action.cancel")}
          </Button>
          <Button className="flex-1" isBusy={isBusy} onClick={() => void logOut()}>
            {text("session.logout")}
          </Button>
        </div>
      </Sheet>
    </>
  );
}

/** Logs out on the server, then on this device, even if the server is unreachable. */
function useLogout() {
  const [isBusy, setBusy] = useState(false);
  const logOut = async () => {
    setBusy(true);
    await call(doLogout, {}, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
    leave();
  };
  return { isBusy, logOut };
}
