import { useState } from "react";
import { Card } from "#client/components/Card.tsx";
import { serverTime } from "#client/api/server-time.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { DAY_MS, toSeconds } from "#shared/time.ts";
import { BreakSheet, type Break } from "./BreakSheet.tsx";

const DAYS = { break: [1, 3, 7, 14, 42], exclude: [180, 365] } as const;

const endOf = (days: number) => toSeconds((serverTime.now() ?? Date.now()) + days * DAY_MS);

/** Breaks and exclusions. A running one can be extended, never shortened. */
export function BreakCard({ until }: { until: number | null }) {
  const text = useText();
  const time = useTime({ dateStyle: "long", timeStyle: "short" });
  const [asked, ask] = useState<Break | null>(null);
  const [isOpen, open] = useState(false);
  const choose = (kind: Break["kind"], days: number) => {
    ask({ kind, days, until: endOf(days) });
    open(true);
  };
  return (
    <Card className="flex flex-col gap-5">
      {until !== null && (
        <p role="status" className="rounded-md bg-jade-soft px-4 py-3 text-sm">
          {text("limit.onBreak", { date: time(until) })}
        </p>
      )}
      {(["break", "exclude"] as const).map((kind) => (
        <div key={kind} className="flex flex-col gap-2">
          <h2 className="font-semibold">{text(`limit.${kind}`)}</h2>
          <p className="text-sm text-muted">{text(`limit.${kind}Hint`)}</p>
          <Choices kind={kind} until={until} onChoose={(days) => choose(kind, days)} />
        </div>
      ))}
      {asked && <BreakSheet key={asked.until} asked={asked} isOpen={isOpen} onClose={() => open(false)} />}
    </Card>
  );
}

interface ChoicesProps {
  kind: Break["kind"];
  until: number | null;
  onChoose: (days: number) => void;
}

function Choices({ kind, until, onChoose }: ChoicesProps) {
  const text = useText();
  return (
    <div role="group" aria-label={text(`limit.${kind}`)} className="grid grid-cols-3 gap-2">
      {DAYS[kind].map((days) => (
        <button
          key={days}
          type="button"
          disabled={until !== null && endOf(days) <= until}
          onClick={() => onChoose(days)}
          className="min-h-11 rounded-md border border-edge bg-card px-2 text-sm hover:border-brand-text disabled:opacity-55"
        >
          {text("plan.days", { count: days })}
        </button>
      ))}
    </div>
  );
}
