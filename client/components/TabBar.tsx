import { Dices, House, UserRound } from "lucide-react";
import { NavLink } from "react-router";
import { useText } from "#client/text/use-text.ts";

const TABS = [
  { to: "/Home", key: "tab.home", Icon: House },
  { to: "/Game", key: "tab.game", Icon: Dices },
  { to: "/Mine", key: "tab.mine", Icon: UserRound },
] as const;

/** The navigation between the main screens, always within the thumb's reach. */
export function TabBar() {
  const text = useText();
  return (
    <nav aria-label={text("tab.label")} className="fixed inset-x-0 bottom-0 z-30">
      <div className="in-frame grid grid-cols-3 border-t border-line bg-card/95 pb-[env(safe-area-inset-bottom)] backdrop-blur">
        {TABS.map(({ to, key, Icon }) => (
          <NavLink
            key={to}
            to={to}
            className="flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs text-muted aria-[current=page]:font-semibold aria-[current=page]:text-brand-text"
          >
            <Icon size={22} aria-hidden />
            {text(key)}
          </NavLink>
        ))}
      </div>
    </nav>
  );
}
