import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { useText } from "#client/hooks/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { getBankList } from "#shared/contract/withdrawals.ts";

interface Props {
  banks: ReplyOf<typeof getBankList>;
  /** The chosen bank's code; empty before one is chosen. */
  value: string;
  onValue: (code: string) => void;
  error?: string | undefined;
}

/** Picks a bank with the device's own list. */
export function BankField({ banks, value, onValue, error }: Props) {
  const text = useText();
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {text("bank.bank")}
      </label>
      <span className="relative">
        <select
          id={id}
          name="bank_code"
          value={value}
          onChange={({ target }) => onValue(target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="min-h-12 w-full appearance-none rounded-md border border-edge bg-card px-4 pe-12 text-base text-ellipsis aria-invalid:border-bad"
        >
          <option value="">{text("bank.choose")}</option>
          {banks.map((bank) => (
            <option key={bank.value} value={bank.value}>
              {bank.text}
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
