import { useQueryClient } from "@tanstack/react-query";
import { RefusedCall } from "#client/api/call-error.ts";
import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import { FailureText } from "#client/components/FailureText.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useSetting } from "#client/hooks/use-setting.ts";
import { endSession, sessionList } from "#shared/contract/session.ts";

/** What to end: one session by id, or all others. */
interface Ending {
  id: string;
  device: string;
}
export const ALL_OTHERS: Ending = { id: "", device: "" };

interface Props {
  ending: Ending;
  isOpen: boolean;
  onClose: () => void;
}

/** Confirms before logging devices out, and reports the result. */
export function EndSheet({ ending: { id, device }, isOpen, onClose }: Props) {
  const text = useText();
  const failure = useFailureText();
  const { mutate, isPending, error, reset } = useEnding(onClose);
  const isAll = id === "";
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Sheet kind="pop" title={text(isAll ? "sessions.endAll" : "sessions.end")} isOpen={isOpen} onClose={close}>
      <p className="mb-4 break-words">{isAll ? text("sessions.askAll") : text("sessions.askOne", { device })}</p>
      {error && (
        <p role="alert" className="mb-4 text-sm text-bad">
          <FailureText>{failure(error)}</FailureText>
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="quiet" className="flex-1" onClick={close}>
          {text("action.cancel")}
        </Button>
        <Button className="flex-1" isBusy={isPending} onClick={() => mutate({ id })}>
          {text("session.logout")}
        </Button>
      </div>
    </Sheet>
  );
}

/** Ends the session or sessions. One that has already ended counts as success. */
function useEnding(onDone: () => void) {
  const text = useText();
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: [sessionList.path] });
  const done = () => {
    void renew();
    showToast(text("sessions.ended"), "good");
    onDone();
  };
  const write = useSetting(endSession, done, renew);
  const mutate = (input: { id: string }) =>
    write.mutate(input, {
      onError: (error) => {
        if (!(error instanceof RefusedCall && error.code === 404)) return;
        write.reset();
        done();
      },
    });
  return { ...write, mutate };
}
