import { useMoney } from "#client/hooks/use-site.ts";

interface Props {
  /** As on the wire: a decimal string. */
  value: string;
  className?: string;
  /** With a plus before what came in. */
  isSigned?: boolean;
}

/** An amount as readers of the language write it, in figures of one width. */
export function Amount({ value, className = "", isSigned = false }: Props) {
  const money = useMoney();
  const sign = isSigned && !value.startsWith("-") && value !== "0.00" ? "+" : "";
  return (
    <span className={`figures ${className}`}>
      {sign}
      {money(value)}
    </span>
  );
}
