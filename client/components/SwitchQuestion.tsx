import { Button } from "./Button.tsx";
import { text } from "#client/text/i18n.ts";

interface Props {
  /** Who is logged in here. */
  current: string;
  /** Whom a partner's link would log in. */
  name: string;
  onAnswer: (isYes: boolean) => void;
}

/** A partner's link meets a session of somebody else: staying is the first answer. */
export function SwitchQuestion({ current, name, onAnswer }: Props) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-frame flex-col justify-center gap-4 bg-paper p-6">
      <h1 className="text-lg font-semibold text-balance break-words">{text("session.switchTitle", { name })}</h1>
      <p className="break-words">{text("session.switchWhy", { current, name })}</p>
      <Button onClick={() => onAnswer(false)}>{text("session.switchStay", { name: current })}</Button>
      <Button look="quiet" onClick={() => onAnswer(true)}>
        {text("session.switchGo", { name })}
      </Button>
    </main>
  );
}
