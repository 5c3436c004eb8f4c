import { useState } from "react";
import { Button } from "#client/components/Button.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useMemberSetting } from "./use-identity.ts";
import { useText } from "#client/text/use-text.ts";
import { setSex } from "#shared/contract/member.ts";
import type { UserInfo } from "#shared/contract/session.ts";

type Sex = UserInfo["sex"];

const CHOICES = [
  ["1", "sex.man"],
  ["2", "sex.woman"],
  ["0", "sex.unset"],
] as const;

/** The member's sex, optional. */
export function SexForm({ sex, onDone }: { sex: Sex; onDone: () => void }) {
  const text = useText();
  const failure = useFailureText();
  const [chosen, choose] = useState(sex);
  const { mutate, isPending, error } = useMemberSetting({
    endpoint: setSex,
    success: "sex.saved",
    changes: () => ({ sex: chosen }),
    onDone,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ sex: chosen });
      }}
    >
      <Choices chosen={chosen} onChoose={choose} />
      <Refusal>{error ? failure(error) : undefined}</Refusal>
      <Button type="submit" isBusy={isPending}>
        {text("action.confirm")}
      </Button>
    </form>
  );
}

function Choices({ chosen, onChoose }: { chosen: Sex; onChoose: (sex: Sex) => void }) {
  const text = useText();
  return (
    <fieldset className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-card">
      <legend className="sr-only">{text("info.sex")}</legend>
      {CHOICES.map(([value, key]) => (
        <label key={value} className="flex min-h-13 items-center gap-3 px-4 text-base has-checked:bg-brand-soft">
          <input
            type="radio"
            name="sex"
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="size-5 shrink-0 accent-brand-deep"
          />
          {text(key)}
        </label>
      ))}
    </fieldset>
  );
}
