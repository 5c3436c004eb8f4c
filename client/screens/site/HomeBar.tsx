import { Link } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { useSite, useSiteName, useUser } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** The club's logo and name, with a welcome text. */
export function ClubName() {
  const text = useText();
  const { data: site } = useSite();
  const name = useSiteName();
  return (
    <span className="flex items-center gap-2.5 py-1.5">
      <img src={site?.ico || "/icons/trio.svg"} alt="" width={36} height={36} className="size-9 rounded-sm" />
      <span className="flex min-w-0 flex-col">
        {name}
        <span className="text-xs font-normal text-muted">{text("home.greeting")}</span>
      </span>
    </span>
  );
}

const CHIP = "flex min-h-11 shrink-0 items-center rounded-full px-3 text-sm font-semibold";

/** A member's balance, or the login link for guests. */
export function Who() {
  const text = useText();
  const isMember = useIsMember();
  const { data: user } = useUser();
  if (!isMember)
    return (
      <Link to="/Login" state={{ from: "/Home" }} className={`${CHIP} text-brand-text`}>
        {text("action.login")}
      </Link>
    );
  if (!user) return null;
  return (
    <Link to="/Mine" className={CHIP}>
      <span className="sr-only">{text("mine.balance")}</span>
      <Amount value={user.money} hasUnit />
    </Link>
  );
}
