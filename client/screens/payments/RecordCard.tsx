import { OperatorText } from "#client/components/OperatorText.tsx";
import { ReceiptText } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";
import type { Langs } from "#shared/locales.ts";

interface Props extends ComponentProps<typeof Facts> {
  record: { money: string; status_text: string; desc: string; langs?: Langs | undefined };
  /** The address of its receipt; without it, this is the receipt. */
  to?: string;
  /** Text colour of the status. */
  tone: string;
}

/** In a screen's bar: leads to a list of records, whose name no bar has room for. */
export function RecordsLink({ to, name }: { to: string; name: string }) {
  return (
    <Link to={to} aria-label={name} title={name} className="grid size-11 place-items-center text-brand-text">
      <ReceiptText size={22} aria-hidden />
    </Link>
  );
}

/** The common part of a top-up and a withdrawal: amount, status, reason and details. */
export function RecordCard({ record: { money, status_text, desc, langs }, to, tone, facts }: Props) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Amount value={money} className="text-lg font-semibold" />
        <span className={`text-sm font-medium ${tone}`}>{status_text}</span>
      </div>
      {desc && (
        <p className="text-sm break-words">
          <OperatorText text={desc} lang={langs?.desc} />
        </p>
      )}
      <Facts facts={facts} />
      {to !== undefined && (
        <Link
          to={to}
          className="-my-2 inline-flex min-h-11 items-center gap-2 self-start text-sm text-brand-text underline underline-offset-4"
        >
          <ReceiptText size={16} aria-hidden className="shrink-0" />
          {text("receipt.show")}
        </Link>
      )}
    </Card>
  );
}
