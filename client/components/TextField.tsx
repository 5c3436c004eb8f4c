import { Field } from "@base-ui/react/field";
import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { useText } from "#client/text/use-text.ts";

interface Props extends Omit<ComponentProps<typeof Field.Control>, "name" | "value" | "onValueChange"> {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** The error text; screen readers read it with the field. */
  error?: string | undefined;
  hint?: string | undefined;
}

/** A labelled text field with an error text. A password can be revealed. */
export function TextField({ name, label, value, onValue, error, hint, type = "text", ...rest }: Props) {
  const [isShown, show] = useState(false);
  const isSecret = type === "password";
  return (
    <Field.Root name={name} invalid={error !== undefined} className="flex flex-col gap-1">
      <Field.Label className="text-sm font-medium">{label}</Field.Label>
      <span className="relative">
        <Field.Control
          {...rest}
          type={isSecret && isShown ? "text" : type}
          value={value}
          onValueChange={onValue}
          className={`min-h-12 w-full rounded-md border border-edge bg-card px-4 text-base data-invalid:border-bad ${isSecret ? "pe-12" : ""}`}
        />
        {isSecret && <LookButton isShown={isShown} onPress={() => show(!isShown)} />}
      </span>
      {hint && !error && <Field.Description className="text-xs text-muted">{hint}</Field.Description>}
      <Field.Error match={error !== undefined} className="text-sm text-bad">
        {error}
      </Field.Error>
    </Field.Root>
  );
}

function LookButton({ isShown, onPress }: { isShown: boolean; onPress: () => void }) {
  const text = useText();
  const Icon = isShown ? EyeOff : Eye;
  return (
    <button
      type="button"
      onClick={onPress}
      aria-pressed={isShown}
      aria-label={text("action.showPassword")}
      className="absolute inset-y-0 end-0 grid w-12 place-items-center text-muted"
    >
      <Icon size={20} aria-hidden />
    </button>
  );
}
