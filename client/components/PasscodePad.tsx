import { Field } from "@base-ui/react/field";
import { Delete } from "lucide-react";
import { useEffect, useRef } from "react";
import { useText } from "#client/text/use-text.ts";
import { passcodeDigits, PASSCODE_LENGTH } from "#client/text/typed-digits.ts";

interface Props {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Called with the passcode when the sixth digit stands. */
  onFull?: (digits: string) => void;
  /** The passcode is on its way: what is typed now does not count. */
  isBusy?: boolean;
  /** Shows the digits instead of dots, where a passcode is chosen without repeating it. */
  isShown?: boolean;
  /** The error text; screen readers read it with the field. */
  error?: string | undefined;
}

/** Six digits shown as dots: typed, pasted, or entered on the pad. The device's on-screen keyboard stays hidden. */
export function PasscodePad({ name, label, value, onValue, onFull, isBusy, isShown = false, error }: Props) {
  const give = (typed: string) => {
    const digits = passcodeDigits(typed);
    if (isBusy || digits === value) return;
    onValue(digits);
    if (digits.length === PASSCODE_LENGTH) onFull?.(digits);
  };
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (error !== undefined) input.current?.focus({ preventScroll: true });
  }, [error]);
  return (
    <div className="mx-auto flex w-full max-w-80 flex-col gap-4">
      <Field.Root name={name} invalid={error !== undefined} className="flex flex-col items-center gap-2">
        <Field.Label className="text-center text-base font-medium">{label}</Field.Label>
        <span className="relative rounded-md focus-within:outline-2 focus-within:outline-offset-4 focus-within:outline-brand-text">
          <Dots digits={value} isShown={isShown} isWrong={error !== undefined} />
          <Field.Control
            ref={input}
            type={isShown ? "text" : "password"}
            aria-busy={isBusy}
            inputMode="none"
            autoComplete="off"
            aria-required
            value={value}
            onValueChange={give}
            className="absolute inset-0 size-full bg-transparent text-transparent caret-transparent outline-none selection:bg-transparent"
          />
        </span>
        <Field.Error match={error !== undefined} className="text-center text-sm text-bad">
          {error}
        </Field.Error>
      </Field.Root>
      <Spoken count={value.length} />
      <Pad onDigit={(digit) => give(`${value}${digit}`)} onDelete={() => give(value.slice(0, -1))} />
    </div>
  );
}

function Spoken({ count }: { count: number }) {
  const text = useText();
  return (
    <p role="status" className="sr-only">
      {count > 0 && text("passcode.digit", { number: count, total: PASSCODE_LENGTH })}
    </p>
  );
}

function Dots({ digits, isShown, isWrong }: { digits: string; isShown: boolean; isWrong: boolean }) {
  return (
    <span aria-hidden className="flex gap-2">
      {Array.from({ length: PASSCODE_LENGTH }, (_, place) => (
        <span
          key={place}
          className={`grid size-11 place-items-center rounded-md border bg-card ${isWrong ? "border-bad" : "border-edge"}`}
        >
          {isShown ? (
            <span className="figures text-lg font-semibold">{digits[place]}</span>
          ) : (
            place < digits.length && <span className="size-3 rounded-full bg-ink" />
          )}
        </span>
      ))}
    </span>
  );
}

const KEY = "grid min-h-12 place-items-center rounded-md border border-line bg-card text-lg font-semibold";

function Pad({ onDigit, onDelete }: { onDigit: (digit: number) => void; onDelete: () => void }) {
  const text = useText();
  const key = (digit: number) => (
    <button key={digit} type="button" onClick={() => onDigit(digit)} className={`figures ${KEY}`}>
      {digit}
    </button>
  );
  return (
    <div role="group" aria-label={text("passcode.pad")} className="grid grid-cols-3 gap-2">
      {[1, 2, 3, 4, 5, 6, 7, 8, 9].map(key)}
      <span />
      {key(0)}
      <button type="button" aria-label={text("passcode.delete")} onClick={onDelete} className={KEY}>
        <Delete size={20} aria-hidden />
      </button>
    </div>
  );
}
