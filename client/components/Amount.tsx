import { useMoney, useFormatMoney } from "#client/hooks/use-site.ts";

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
    <span className={`figures ${className}`}>
      {sign}
      {hasUnit ? format(value) : money(value)}
    </span>
  );
}
