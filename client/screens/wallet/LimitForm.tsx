import { useState, type FormEvent, type ReactNode } from "react";
import { showToast } from "#client/api/bus.ts";
import { FailureText } from "#client/components/FailureText.tsx";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useLimitDraft, useLimitWrite } from "./use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { typedDigits } from "#client/text/typed-digits.ts";
import type { LimitName, Limits } from "#shared/contract/wallet.ts";
import { LimitField } from "./LimitField.tsx";

const KINDS = ["stake", "loss", "recharge"] as const;
const PERIODS = ["day", "week", "month"] as const;

/** Nine amounts and the reminder. Typed values stay until the server accepts them. */
export function LimitForm({ limits }: { limits: Limits }) {
  const text = useText();
  const { draft, isPending, error, isChecked, save } = useSaving(limits);
  const failure = useFailureText();
  const field = (name: LimitName, label: string) => (
    <LimitField
      key={name}
      name={name}
      label={label}
      typed={draft.shown(name)}
      onType={(typed) => draft.type(name, typedDigits(typed))}
      isWrong={isChecked && draft.wrong.includes(name)}
      limits={limits}
    />
  );
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-4">
      {KINDS.map((kind) => (
        <Group key={kind} title={text(`limit.${kind}`)} hint={text(`limit.${kind}Hint`)}>
          {PERIODS.map((period) => field(`${kind}_${period}`, text(`limit.${period}`)))}
        </Group>
      ))}
      <Group title={text("limit.remind")} hint={text("limit.remindHint")}>
        {field("remind_minutes", text("limit.minutes"))}
      </Group>
      <p className="text-xs text-muted">{text("limit.utc")}</p>
      {error && (
        <p role="alert" className="rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          <FailureText>{failure(error)}</FailureText>
        </p>
      )}
      <Button type="submit" isBusy={isPending}>
        {text("limit.save")}
      </Button>
    </form>
  );
}

function useSaving(limits: Limits) {
  const text = useText();
  const draft = useLimitDraft(limits);
  const [isChecked, check] = useState(false);
  const { mutate, isPending, error } = useLimitWrite(({ pending }, asked) => {
    const isLater = pending.some(({ name }) => name in asked);
    showToast(text(isLater ? "limit.savedLater" : "limit.saved"), "good");
    draft.clear(asked);
    check(false);
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    check(true);
    const [wrong] = draft.wrong;
    if (wrong) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus();
    if (Object.keys(draft.changes).length === 0) showToast(text("limit.unchanged"));
    else mutate(draft.changes);
  };
  return { draft, isChecked, isPending, error, save };
}

function Group({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Card>
      <fieldset className="flex flex-col gap-2">
        <legend className="font-semibold">{title}</legend>
        <p className="text-sm text-muted">{hint}</p>
        {children}
      </fieldset>
    </Card>
  );
}
