import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { showToast } from "#client/api/bus.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useFailureText, followedBy } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { messageList } from "#shared/contract/member.ts";
import { Hex } from "#client/screens/lottery/CheckStep.tsx";
import { changeWheelSeed, luckdrawList, wheelSeeds } from "#shared/contract/wheel.ts";
import { tableHash } from "#shared/wheel.ts";
import { WORDS } from "#shared/wheel-words.ts";
import { keepSent, wordsForNext, type Seeds } from "./kept-pairs.ts";

const MOST = 64;

/** A form for the member's own words. They begin the next pair, whose commit is shown first, and reveal the one in use. */
export function SeedForm({ seeds }: { seeds: Seeds }) {
  const text = useText();
  // With none in use there is nothing to reveal.
  const isFirst = seeds.commit === null;
  const { words, type, change, atField, refusal, isBusy, isSent } = useWords(seeds);
  return (
    <Card>
      <form onSubmit={change} noValidate className="flex flex-col gap-3">
        <h2 className="font-semibold">{text(isFirst ? "wheel.firstWords" : "wheel.change")}</h2>
        {!isFirst && <p className="text-sm text-muted">{text("wheel.changeHint")}</p>}
        <Hex name={text("wheel.next")} value={seeds.next_commit} />
        <TextField
          name="client_seed"
          label={text("wheel.newWords")}
          hint={isSent ? text("wheel.sentBefore") : followedBy(text("wheel.madeHere"), text("wheel.wordsHint"))}
          value={words}
          error={atField}
          onValue={type}
          readOnly={isSent}
          maxLength={MOST}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Refusal>{refusal}</Refusal>
        <Button type="submit" look="quiet" isBusy={isBusy}>
          {text(isFirst ? "wheel.useWords" : "wheel.changeNow")}
        </Button>
      </form>
    </Card>
  );
}

/**
 * Words for the next pair: first those that this device made, and any others until they are sent. From then on the same
 * words go again, so that a feigned failure does not get the house another choice.
 */
function useWords(seeds: Seeds) {
  const text = useText();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const prizes = useEndpoint(luckdrawList);
  const [{ words, isSent }, setWords] = useState(() => wordsForNext(seeds));
  const [isInvalid, setInvalid] = useState(false);
  // The server also sends a message with the revealed seed.
  const renew = () => {
    for (const { path } of [wheelSeeds, messageList]) void queryClient.invalidateQueries({ queryKey: [path] });
  };
  const { mutate, isPending, error, reset } = useWrite(changeWheelSeed, () => {
    showToast(text("wheel.changed"), "good");
    renew();
  });
  return {
    words,
    type: (typed: string) => {
      setWords({ words: typed, isSent: false });
      setInvalid(false);
      reset();
    },
    change: (event: FormEvent) => {
      event.preventDefault();
      // Checked here: words that were sent stay, so the server must have no ground to refuse them.
      if (!WORDS.test(words)) return setInvalid(true);
      const table = keepSent(seeds, words, prizes.data && tableHash(prizes.data));
      const input = { client_seed: words, commit: seeds.next_commit, ...(table !== undefined && { table }) };
      mutate(input, { onError: failed });
    },
    atField: isInvalid ? text("wheel.wordsHint") : undefined,
    refusal: error ? failure(error) : undefined,
    isBusy: isPending,
    isSent: isSent && !isPending,
  };

  function failed(): void {
    setWords({ words, isSent: true });
    renew();
  }
}
