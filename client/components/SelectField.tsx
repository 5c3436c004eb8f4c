import { ChevronDown } from "lucide-react";
import { useId } from "react";

interface Props {
  name: string;
  label: string;
  options: readonly { value: string; text: string }[];
  value: string;
  onValue: (value: string) => void;
  /** The label of the empty option. */
  none?: string;
  error?: string | undefined;
}

/** A labelled native select. */
export function SelectField({ name, label, options, value, onValue, none, error }: Props) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <span className="relative">
        <select
          id={id}
          name={name}
          value={value}
          onChange={({ target }) => onValue(target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="min-h-12 w-full appearance-none rounded-md border border-edge bg-card px-4 pe-12 text-base text-ellipsis aria-invalid:border-bad"
        >
          {none !== undefined && <option value="">{none}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <ChevronDown
          size={20}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-4 my-auto text-muted"
        />
      </span>
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
