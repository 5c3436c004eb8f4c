import { useState, type SubmitEvent } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useIdentity } from "./use-identity.ts";
import { useText } from "#client/text/use-text.ts";
import { setName } from "#shared/contract/member.ts";

interface Props {
  name: string;
  onDone: () => void;
}

/** The member's real name: entered once, read once more, and then fixed. It uses the name on arrival. */
export function RealName({ name, onDone }: Props) {
  const [known] = useState(name);
  return known === "" ? <NameForm onDone={onDone} /> : <FixedName name={known} />;
}

function FixedName({ name }: { name: string }) {
  const text = useText();
  return (
    <Card>
      <p className="text-lg font-semibold break-words">{name}</p>
      <p className="mt-1 text-sm text-muted">{text("realName.set")}</p>
    </Card>
  );
}

function NameForm({ onDone }: Pick<Props, "onDone">) {
  const text = useText();
  const failure = useFailureText();
  const [typed, type] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const [isChecking, check] = useState(false);
  const { mutate, isPending, error } = useNaming(onDone);
  const fault = error instanceof RefusedCall ? error.fields.name : undefined;
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setEmpty(typed.trim() === "");
    if (typed.trim() === "") event.currentTarget.querySelector("input")?.focus();
    else check(true);
  };
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-4">
      <TextField
        name="name"
        label={text("info.name")}
        hint={text("realName.hint")}
        autoComplete="name"
        aria-required
        value={typed}
        onValue={type}
        error={isEmpty ? text("realName.enter") : fault}
      />
      <Refusal>{error && !fault && !isEmpty ? failure(error) : undefined}</Refusal>
      <Button type="submit">{text("realName.save")}</Button>
      <Sheet kind="pop" title={text("realName.save")} isOpen={isChecking} onClose={() => isPending || check(false)}>
        <NameCheck
          name={typed.trim()}
          isBusy={isPending}
          onConfirm={() => mutate({ name: typed }, { onSettled: () => check(false) })}
        />
      </Sheet>
    </form>
  );
}

function useNaming(onDone: () => void) {
  return useIdentity({
    endpoint: setName,
    success: "realName.saved",
    changes: ({ name }) => (name === undefined ? {} : { name: name.normalize("NFC").trim() }),
    onDone,
  });
}

interface CheckProps {
  name: string;
  isBusy: boolean;
  onConfirm: () => void;
}

/** The name once more, as it is final. */
function NameCheck({ name, isBusy, onConfirm }: CheckProps) {
  const text = useText();
  return (
    <div className="flex flex-col gap-4">
      <p className="text-lg font-semibold break-words">{name}</p>
      <p className="text-sm text-muted">{text("realName.hint")}</p>
      <Button isBusy={isBusy} onClick={onConfirm}>
        {text("action.confirm")}
      </Button>
    </div>
  );
}
