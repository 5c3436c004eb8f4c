import { CircleAlert } from "lucide-react";
import { FailureText } from "./FailureText.tsx";

/** A form's error that belongs to no single field. Screen readers announce it at once. */
export function Refusal({ children }: { children: string | undefined }) {
  if (!children) return null;
  return (
    <p role="alert" className="flex items-center gap-2 rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
      <CircleAlert size={18} aria-hidden className="shrink-0" />
      <span className="min-w-0">
        <FailureText>{children}</FailureText>
      </span>
    </p>
  );
}
