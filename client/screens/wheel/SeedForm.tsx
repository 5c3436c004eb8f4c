import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { messageList } from "#shared/contract/member.ts";
import { changeWheelSeed, wheelSeeds } from "#shared/contract/wheel.ts";

const MOST = 64;

/** A form for the member's own client seed. It starts a new pair and reveals the previous server seed. */
export function SeedForm() {
  const text = useText();
  const { words, type, change, atField, refusal, isBusy } = useSeedChange();
  return (
    <Card>
      <form onSubmit={change} noValidate className="flex flex-col gap-3">
        <h2 className="font-semibold">{text("wheel.change")}</h2>
        <p className="text-sm text-muted">{text("wheel.changeHint")}</p>
        <TextField
          name="client_seed"
          label={text("wheel.newWords")}
          hint={text("wheel.wordsHint")}
          value={words}
          error={atField}
          onValue={type}
          maxLength={MOST}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Refusal>{refusal}</Refusal>
        <Button type="submit" look="quiet" isBusy={isBusy}>
          {text("wheel.changeNow")}
        </Button>
      </form>
    </Card>
  );
}

/** Typed words stay until the server accepts them; editing them clears the error. */
function useSeedChange() {
  const text = useText();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const [words, setWords] = useState("");
  const { mutate, isPending, error, reset } = useWrite(changeWheelSeed, () => {
    setWords("");
    showToast(text("wheel.changed"), "good");
    // The server also sends a message with the revealed seed.
    for (const { path } of [wheelSeeds, messageList]) void queryClient.invalidateQueries({ queryKey: [path] });
  });
  const atField = error instanceof RefusedCall ? error.fields["client_seed"] : undefined;
  return {
    words,
    type: (typed: string) => {
      setWords(typed);
      reset();
    },
    change: (event: FormEvent) => {
      event.preventDefault();
      mutate({ client_seed: words });
    },
    atField,
    refusal: error && !atField ? failure(error) : undefined,
    isBusy: isPending,
  };
}
