import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useSetting } from "#client/hooks/use-setting.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { passkeyList, renamePasskey } from "#shared/contract/passkeys.ts";

interface Props {
  passkey: { id: string; name: string };
  isOpen: boolean;
  onClose: () => void;
}

function useRenaming(onDone: () => void) {
  const text = useText();
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: [passkeyList.path] });
  const done = () => {
    void renew();
    showToast(text("passkeys.renamed"), "good");
    onDone();
  };
  return useSetting(renamePasskey, done, renew);
}

/** Gives a passkey another name. */
export function RenamePasskey({ passkey: { id, name }, isOpen, onClose }: Props) {
  const text = useText();
  const failure = useFailureText();
  const [typed, type] = useState<string>();
  const { mutate, isPending, error, reset } = useRenaming(() => close());
  const close = () => {
    reset();
    type(undefined);
    onClose();
  };
  const called = typed ?? name;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) mutate({ id, name: called });
  };
  return (
    <Sheet title={text("passkeys.rename")} isOpen={isOpen} onClose={close}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          name="name"
          label={text("passkeys.name")}
          value={called}
          onValue={type}
          error={error ? failure(error) : undefined}
          autoComplete="off"
          enterKeyHint="done"
          maxLength={40}
        />
        <Button type="submit" isBusy={isPending}>
          {text("passkeys.save")}
        </Button>
      </form>
    </Sheet>
  );
}
