import { Dices, House, UserRound } from "lucide-react";
import { Link, useLocation } from "react-router";
import { UnreadBadge } from "./UnreadBadge.tsx";
import { useUnread } from "#client/screens/member/use-unread.ts";
import { useUnreadAnswers } from "#client/screens/support/use-unread-answers.ts";
import { useText } from "#client/text/use-text.ts";

/** The tabs, and the screens that lie behind one and show the bar, too. */
const TABS = [
  { to: "/Home", key: "tab.home", Icon: House, behind: ["/video", "/choose"] },
  { to: "/Game", key: "tab.game", Icon: Dices, behind: [] },
  { to: "/Mine", key: "tab.mine", Icon: UserRound, behind: [] },
] as const;

/** The navigation between the main screens, always within the thumb's reach. */
export function TabBar() {
  const text = useText();
  const here = useLocation().pathname.toLowerCase().replace(/\/+$/, "");
  return (
    <nav aria-label={text("tab.label")} className="fixed inset-x-0 bottom-0 z-30">
      <div className="in-frame grid grid-cols-3 border-t border-line bg-card/95 pb-[env(safe-area-inset-bottom)] backdrop-blur">
        {TABS.map(({ to, key, Icon, behind }) => (
          <Link
            key={to}
            to={to}
            aria-current={
              here === to.toLowerCase() ? "page" : behind.some((path) => path === here) ? "true" : undefined
            }
            className="flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs text-muted aria-[current]:font-semibold aria-[current]:text-brand-text"
          >
            <span className="relative">
              <Icon size={22} aria-hidden />
              {to === "/Mine" && <News />}
            </span>
            {text(key)}
          </Link>
        ))}
      </div>
    </nav>
  );
}

/** What waits to be read under "Me": messages about the account, and answers of the customer service. */
function News() {
  const count = useUnread() + useUnreadAnswers();
  return (
    <span className="absolute start-3 -top-1.5">
      <UnreadBadge count={count} className="bg-brand-deep text-on-brand" />
    </span>
  );
}
