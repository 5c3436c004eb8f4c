import { LogOut } from "lucide-react";
import { useState } from "react";
import { call } from "#client/api/call.ts";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { leave } from "#client/app/live.ts";
import { doLogout } from "#shared/contract/session.ts";

/** The longest wait for the server's answer to a logout. */
const PATIENCE_MS = 4_000;

/** Logout, after a confirmation. */
export function Logout() {
  const text = useText();
  const [isAsked, ask] = useState(false);
  const [forgets, setForgets] = useState(false);
  const { isBusy, logOut } = useLogout(forgets);
  return (
    <>
      <Button look="quiet" className="w-full" onClick={() => ask(true)}>
        <LogOut size={20} aria-hidden />
        {text("session.logout")}
      </Button>
      <Sheet kind="pop" title={text("session.logout")} isOpen={isAsked} onClose={() => ask(false)}>
        <p className="mb-4">{text("session.logoutAsk")}</p>
        <label className="mb-4 flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            checked={forgets}
            onChange={({ target }) => setForgets(target.checked)}
            className="size-5 shrink-0 accent-brand-deep"
          />
          {text("watch.forget")}
        </label>
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

/** Deletes what this device keeps of a member's bets. */
async function forgetKept(member: string): Promise<void> {
  const { request } = await import("#client/watch/watch.ts");
  await request("forget", { member });
}

/** Logs out on the server, then on this device, even if the server is unreachable. */
function useLogout(forgets: boolean) {
  const member = useUser().data?.id;
  const [isBusy, setBusy] = useState(false);
  const logOut = async () => {
    setBusy(true);
    await call(doLogout, {}, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
    if (forgets && member !== undefined) await forgetKept(member).catch(() => undefined);
    leave();
  };
  return { isBusy, logOut };
}
