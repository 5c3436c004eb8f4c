import { useMoney, useFormatMoney } from "#client/hooks/use-site.ts";

interface Props {
  /** As on the wire: a decimal string. */
  value: string;
  className?: string;
  /** With a plus before what came in. */
  isSigned?: boolean;
  /** With points in words, where nothing else says what it is in. */
  isSaid?: boolean;
}

/** An amount as readers of the language write it, in figures of one width. */
export function Amount({ value, className = "", isSigned = false, isSaid = false }: Props) {
  const money = useMoney();
  const format = useFormatMoney();
  const sign = isSigned && !value.startsWith("-") && value !== "0.00" ? "+" : "";
  return (
    <span className={`figures ${className}`}>
      {sign}
      {isSaid ? format(value) : money(value)}
    </span>
  );
}
