import type { ButtonHTMLAttributes } from "react";
import { Link, type LinkProps } from "react-router";

const LOOKS = {
  main: "bg-brand-deep text-on-brand hover:brightness-110",
  quiet: "border border-edge bg-card text-ink hover:border-brand-text",
  bare: "text-brand-text underline-offset-4 hover:underline",
} as const;

export type Look = keyof typeof LOOKS;

const classOf = (look: Look, more = "") =>
  `inline-flex min-h-12 items-center justify-center gap-2 rounded-md px-5 py-2 text-center text-base font-semibold transition disabled:opacity-55 aria-disabled:opacity-55 ${LOOKS[look]} ${more}`;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** The action is under way: further presses do nothing, and screen readers announce the button as busy. */
  isBusy?: boolean;
}

export function Button({ look = "main", isBusy = false, className, onClick, type = "button", ...rest }: Props) {
  return (
    <button
      {...rest}
      // A busy button stays focusable, so that the focus is not lost.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      type={isBusy && type === "submit" ? "button" : type}
      onClick={isBusy ? undefined : onClick}
      className={classOf(look, `${className ?? ""} ${isBusy ? "animate-wait" : ""}`)}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ look = "main", className, ...rest }: LinkProps & { look?: Look }) {
  return <Link {...rest} className={classOf(look, className)} />;
}
