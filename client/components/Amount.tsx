import { useEffect, useRef, useState } from "react";
import { prefersStill } from "#client/app/motion.ts";
import { useMoney, useFormatMoney } from "#client/hooks/use-site.ts";
import { fromDecimal, MINOR_PER_UNIT, toDecimal, type Money } from "#shared/money.ts";

interface Props {
  /** A decimal string, as on the wire. */
  value: string;
  className?: string;
  /** Puts a plus sign before incoming amounts. */
  isSigned?: boolean;
  /** Names the points, where nothing else states the unit. */
  hasUnit?: boolean;
}

/** An amount in the reader's language, in tabular figures. */
export function Amount({ value, className = "", isSigned = false, hasUnit = false }: Props) {
  const money = useMoney();
  const format = useFormatMoney();
  const sign = isSigned && !value.startsWith("-") && value !== "0.00" ? "+" : "";
  return (
    // Its sign stands before the figures, whichever way the language runs.
    <span dir="ltr" className={`figures ${className}`}>
      {sign}
      {hasUnit ? format(value) : money(value)}
    </span>
  );
}

/** An amount that counts to its new value, in whole units. Screen readers hear the new value alone. */
export function CountingAmount({ value, ...look }: Props) {
  const now = useCounting(fromDecimal(value));
  if (now === fromDecimal(value)) return <Amount value={value} {...look} />;
  return (
    <>
      <span className="sr-only">
        <Amount value={value} {...look} />
      </span>
      <span aria-hidden>
        <Amount value={toDecimal(now)} {...look} />
      </span>
    </>
  );
}

const COUNT_MS = 500;

function useCounting(to: Money): Money {
  const [now, show] = useState(to);
  const last = useRef(to);
  useEffect(() => {
    const from = last.current;
    if (from === to) return undefined;
    const ms = prefersStill() ? 0 : COUNT_MS;
    let begun: number | null = null;
    const step = (at: number) => {
      begun ??= at;
      const share = ms === 0 ? 1 : Math.min(1, (at - begun) / ms);
      const between = from + (to - from) * (1 - (1 - share) ** 3);
      last.current = share === 1 ? to : Math.round(between / MINOR_PER_UNIT) * MINOR_PER_UNIT;
      show(last.current);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [to]);
  return now;
}
