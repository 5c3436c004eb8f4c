import { Clapperboard, MapPin, MessageSquare, type LucideIcon } from "lucide-react";
import { Card } from "#client/components/Card.tsx";
import { Screen } from "#client/components/Screen.tsx";
import type { TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { Membership } from "./Membership.tsx";
import { Offers } from "./Offers.tsx";

/** The membership status, and the plans with their prices. Each purchase asks for confirmation. */
export default function Plans() {
  const text = useText();
  return (
    <Screen title={text("plan.title")} hasAmounts>
      <div className="two-columns">
        <div className="flex flex-col gap-4">
          <Membership />
          <Benefits />
        </div>
        <div className="flex flex-col gap-4">
          <Offers />
          <p className="text-sm text-muted">{text("plan.intro")}</p>
        </div>
      </div>
    </Screen>
  );
}

/** What the server gives to members only. */
const BENEFITS: readonly (readonly [LucideIcon, TextKey])[] = [
  [Clapperboard, "plan.videos"],
  [MapPin, "plan.contacts"],
  [MessageSquare, "plan.comments"],
];

function Benefits() {
  const text = useText();
  return (
    <Card>
      <h2 className="mb-3 font-semibold">{text("plan.opens")}</h2>
      <ul className="flex flex-col gap-3">
        {BENEFITS.map(([Icon, name]) => (
          <li key={name} className="flex items-start gap-3">
            <Icon size={20} aria-hidden className="mt-0.5 shrink-0 text-brand-text" />
            <span className="min-w-0 wrap-anywhere">{text(name)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
