import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { make } from "#client/api/passkey.ts";
import { withProof } from "#client/api/proof.ts";
import { Button } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { usePasskey } from "#client/hooks/use-passkey.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { useText } from "#client/text/use-text.ts";
import { addPasskey, passkeyAddOptions, passkeyList } from "#shared/contract/passkeys.ts";
import { securityState } from "#shared/contract/security.ts";
import { deviceName } from "./device-name.ts";

/** Asks what the new passkey is called, and has the browser make it. */
export function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const text = useText();
  const { name, type, empty, error, isBusy, add, reset } = useAdding(onClose);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void add();
  };
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Sheet title={text("passkeys.add")} isOpen={isOpen} onClose={() => isBusy || close()}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          name="name"
          label={text("passkeys.name")}
          hint={text("passkeys.nameHint")}
          value={name}
          onValue={type}
          error={empty}
          autoComplete="off"
          enterKeyHint="go"
          maxLength={40}
        />
        <p className="text-sm text-muted">{text("passkeys.cools")}</p>
        <Refusal>{error}</Refusal>
        <Button type="submit" isBusy={isBusy}>
          {text("passkeys.add")}
        </Button>
      </form>
    </Sheet>
  );
}

function useAdding(onDone: () => void) {
  const text = useText();
  const queryClient = useQueryClient();
  const ofDevice = deviceName(navigator.userAgent, text);
  const [typed, setTyped] = useState<string>();
  const [empty, refuse] = useState<string>();
  const name = typed ?? ofDevice;
  const { mutateAsync } = useWrite(addPasskey, () => {
    for (const { path } of [passkeyList, securityState]) void queryClient.invalidateQueries({ queryKey: [path] });
    showToast(text("passkeys.added"), "good");
  });
  const { begin, ...state } = usePasskey<string>({
    ask: async () => make(await withProof(() => call(passkeyAddOptions))),
    send: (called, passkey) => mutateAsync({ name: called, passkey }),
  });
  const add = async () => {
    if (name.trim() === "") return refuse(text("bank.fill"));
    if (!(await begin(name.trim()))) return;
    setTyped(undefined);
    onDone();
  };
  const type = (value: string) => {
    setTyped(value);
    refuse(undefined);
  };
  return { ...state, name, type, empty, add };
}
