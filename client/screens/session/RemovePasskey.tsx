import { useQueryClient } from "@tanstack/react-query";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useWrite } from "#client/hooks/use-write.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { passkeyList, removePasskey } from "#shared/contract/passkeys.ts";
import { securityState } from "#shared/contract/security.ts";

interface Props {
  passkey: { id: string; name: string };
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a passkey is removed. */
export function RemovePasskey({ passkey: { id, name }, isOpen, onClose }: Props) {
  const text = useText();
  const failure = useFailureText();
  const { remove, isPending, error, reset } = useRemoving(onClose);
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Sheet kind="pop" title={text("passkeys.remove")} isOpen={isOpen} onClose={close}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere">{text("passkeys.ask", { name })}</p>
        <Refusal>{error ? failure(error) : undefined}</Refusal>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="quiet" className="flex-1" onClick={close}>
            {text("action.cancel")}
          </Button>
          <Button className="flex-1" isBusy={isPending} onClick={() => remove(id)}>
            {text("passkeys.remove")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

/** Removes it. One that is gone already counts as success. */
function useRemoving(onDone: () => void) {
  const text = useText();
  const queryClient = useQueryClient();
  const done = () => {
    for (const { path } of [passkeyList, securityState]) void queryClient.invalidateQueries({ queryKey: [path] });
    showToast(text("passkeys.removed"), "good");
    onDone();
  };
  const { mutate, reset, isPending, error } = useWrite(removePasskey, done);
  const remove = (id: string) =>
    mutate(
      { id },
      {
        onError: (no) => {
          if (!(no instanceof RefusedCall && no.code === 404)) return;
          reset();
          done();
        },
      },
    );
  return { remove, reset, isPending, error };
}
