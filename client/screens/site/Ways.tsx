import { Building2, Clapperboard, Headset } from "lucide-react";
import { Link } from "react-router";
import { UnreadBadge } from "#client/components/UnreadBadge.tsx";
import { useUnreadAnswers } from "#client/screens/support/use-unread-answers.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

const WAYS = [
  { to: "/Video", name: "home.video", hint: "home.videoHint", Icon: Clapperboard },
  { to: "/Choose", name: "home.cities", hint: "home.citiesHint", Icon: Building2 },
  { to: "/ServiceOnline", name: "home.service", hint: "home.serviceHint", Icon: Headset },
] as const;

/** Links to the club's other sections; support is hidden while it is switched off. */
export function Ways() {
  const text = useText();
  const { data: site } = useSite();
  const answers = useUnreadAnswers();
  const ways = WAYS.filter(({ to }) => to !== "/ServiceOnline" || site?.iskefu !== 0);
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-3">
      {ways.map(({ to, name, hint, Icon }) => (
        <li key={to} className="min-w-0">
          <Link
            to={to}
            className="flex h-full flex-col items-center gap-1.5 rounded-lg border border-line bg-card px-1 py-3 text-center wrap-break-word shadow-card"
          >
            <span className="relative grid size-11 place-items-center rounded-full bg-brand-soft text-brand-text">
              <Icon size={22} aria-hidden />
              {to === "/ServiceOnline" && (
                <span className="absolute -end-2 -top-1">
                  <UnreadBadge count={answers} className="bg-brand-deep text-on-brand" />
                </span>
              )}
            </span>
            <span className="max-w-full text-sm font-semibold hyphens-auto">{text(name)}</span>
            <span className="max-w-full text-xs text-balance hyphens-auto text-muted">{text(hint)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
