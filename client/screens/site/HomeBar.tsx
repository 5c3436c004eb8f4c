import { Link } from "react-router";
import { useSite, useSiteName } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** The club's logo and name, with a welcome text. */
export function ClubName() {
  const text = useText();
  const { data: site } = useSite();
  const name = useSiteName();
  // The floating links first lie at the end of a member's bar.
  const isShared = useIsMember() && (site?.isluckdraw === 1 || site?.iskefu === 1);
  return (
    <span className={`flex items-center gap-2.5 py-1.5 ${isShared ? "pe-28" : ""}`}>
      <img src={site?.ico || "/icons/trio.svg"} alt="" width={36} height={36} className="size-9 rounded-sm" />
      <span className="flex min-w-0 flex-col">
        {name}
        <span className="text-xs font-normal text-muted">{text("home.greeting")}</span>
      </span>
    </span>
  );
}

/** The login link for guests. */
export function Who() {
  const text = useText();
  const isMember = useIsMember();
  if (isMember) return null;
  return (
    <Link
      to="/Login"
      state={{ from: "/Home" }}
      className="flex min-h-11 shrink-0 items-center px-3 text-sm font-semibold text-brand-text"
    >
      {text("action.login")}
    </Link>
  );
}
