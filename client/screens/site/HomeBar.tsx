import { Link } from "react-router";
import { useSite, useSiteName } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** The club's logo and name, with a welcome text. */
export function ClubName() {
  const text = useText();
  const { data: site } = useSite();
  const name = useSiteName();
  return (
    // The floating links first lie at the end of the bar.
    <span className="flex max-w-name items-center gap-2.5 py-1.5">
      <img src={site?.ico || "/icons/trio.svg"} alt="" width={36} height={36} className="size-9 rounded-sm" />
      <span className="flex min-w-0 flex-col">
        {name}
        <span className="text-xs font-normal text-muted">{text("home.greeting")}</span>
      </span>
    </span>
  );
}

/** The login link for guests, before the floating links. */
export function Who() {
  const text = useText();
  const isMember = useIsMember();
  if (isMember) return null;
  return (
    <Link
      to="/Login"
      state={{ from: "/Home" }}
      className="flex min-h-11 shrink-0 items-center px-1 text-sm font-semibold text-brand-text max-lg:me-28"
    >
      {text("action.login")}
    </Link>
  );
}
