import { useState, type SubmitEvent } from "react";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useBack } from "#client/app/use-go.ts";
import { useIdentity } from "./use-identity.ts";
import { useText } from "#client/text/use-text.ts";
import { setName } from "#shared/contract/member.ts";
import { UserScreen } from "./UserScreen.tsx";

/** The member's real name, entered once and then fixed. */
export default function Setname() {
  const text = useText();
  return (
    <UserScreen title={text("info.name")} rows={2}>
      {({ name }) => <Name name={name} />}
    </UserScreen>
  );
}

/** Uses the name on arrival: after saving a name the screen goes back. */
function Name({ name }: { name: string }) {
  const [known] = useState(name);
  return known === "" ? <NameForm /> : <FixedName name={known} />;
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

function NameForm() {
  const text = useText();
  const failure = useFailureText();
  const back = useBack();
  const [typed, type] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const { mutate, isPending, error } = useIdentity({
    endpoint: setName,
    success: "realName.saved",
    changes: ({ name }) => (name === undefined ? {} : { name: name.normalize("NFC").trim() }),
    onDone: back,
  });
  const fault = error instanceof RefusedCall ? error.fields.name : undefined;
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setEmpty(typed.trim() === "");
    if (typed.trim() === "") event.currentTarget.querySelector("input")?.focus();
    else mutate({ name: typed });
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
      <Button type="submit" isBusy={isPending}>
        {text("realName.save")}
      </Button>
    </form>
  );
}
