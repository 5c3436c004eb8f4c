import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";

const MARKS = {
  matches: { Icon: CircleCheck, tone: "text-jade" },
  differs: { Icon: CircleX, tone: "text-bad" },
  checking: { Icon: LoaderCircle, tone: "animate-wait text-muted" },
} as const;

export type Outcome = keyof typeof MARKS;

interface Props {
  /** Its place on the screen. */
  step: number;
  title: string;
  /** Null if there is nothing to compare yet. */
  outcome: Outcome | null;
  about: string;
  children: ReactNode;
}

/** One verification step: its explanation, the numbers, and whether they match. */
export function CheckStep({ step, title, outcome, about, children }: Props) {
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-card p-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="text-base font-semibold">
          <span className="figures">{step}.</span> {title}
        </h2>
        {outcome && <Mark outcome={outcome} />}
      </div>
      <p className="text-sm break-words">{about}</p>
      <div className="flex flex-col gap-3">{children}</div>
    </li>
  );
}

/** Shows whether a step matches, as an icon and a word. */
export function Mark({ outcome }: { outcome: Outcome }) {
  const text = useText();
  const { Icon, tone } = MARKS[outcome];
  return (
    <p className={`flex items-center gap-1.5 text-sm font-semibold ${tone}`}>
      <Icon size={18} aria-hidden className="shrink-0" />
      {text(`fair.${outcome}`)}
    </p>
  );
}

/** A labelled number of the check; a placeholder while it is computed. */
export function StepFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-muted">{name}</p>
      {children ?? <Skeleton className="h-8" />}
    </div>
  );
}

/** 256 bits in hex, wrapped at the screen's edge. */
export function Hex({ name, value }: { name: string; value: string | undefined }) {
  return (
    <StepFact name={name}>
      {value === undefined ? undefined : <code className="font-mono text-xs break-all">{value || "—"}</code>}
    </StepFact>
  );
}
