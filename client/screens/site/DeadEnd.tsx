import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";

/** An empty screen: one sentence and a link home. */
export function DeadEnd({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  const text = useText();
  return (
    <div className="flex flex-col items-center gap-5 px-4 py-16 text-center">
      <span className="grid size-24 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Icon size={44} strokeWidth={1.5} aria-hidden />
      </span>
      <p className="max-w-80 text-base text-balance text-muted">{children}</p>
      <ButtonLink to="/Home">{text("action.toHome")}</ButtonLink>
    </div>
  );
}
