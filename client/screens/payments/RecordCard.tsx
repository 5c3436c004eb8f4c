import type { ComponentProps } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";

interface Props extends ComponentProps<typeof Facts> {
  record: { money: string; status_text: string; desc: string };
  /** Text colour of the status. */
  tone: string;
}

/** The common part of a top-up and a withdrawal: amount, status, reason and details. */
export function RecordCard({ record: { money, status_text, desc }, tone, facts }: Props) {
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Amount value={money} className="text-lg font-semibold" />
        <span className={`text-sm font-medium ${tone}`}>{status_text}</span>
      </div>
      {desc && <p className="text-sm break-words">{desc}</p>}
      <Facts facts={facts} />
    </Card>
  );
}
