import { Languages } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { Screen } from "#client/components/Screen.tsx";
import { useSite, useSiteName } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  title: string;
  /** The link to the other form: its path and label. */
  other: { to: string; label: string };
  children: ReactNode;
}

/** The frame of the login and registration forms. A logged-in member is redirected. */
export function Entrance({ title, other, children }: Props) {
  const isMember = useIsMember();
  const { state } = useLocation();
  const destination = destinationOf(state);
  if (isMember) return <Navigate to={destination} replace />;
  return (
    <Screen title={title} aside={<ToLanguage />}>
      <Sign />
      {children}
      <Link
        to={other.to}
        state={state}
        replace
        className="mx-auto mt-3 flex min-h-11 w-fit items-center text-center text-sm font-medium text-balance text-brand-text underline underline-offset-4"
      >
        {other.label}
      </Link>
    </Screen>
  );
}

/** The screen that required the login, if it is our own; otherwise home. */
function destinationOf(state: unknown): string {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : null;
  return typeof from === "string" && /^\/(?![/\\])/.test(from) ? from : "/Home";
}

function ToLanguage() {
  const text = useText();
  return (
    <Link to="/Language" aria-label={text("language.title")} className="grid size-11 place-items-center text-muted">
      <Languages size={20} aria-hidden />
    </Link>
  );
}

/** The club's name and logo on the site's background. */
function Sign() {
  const { data: site } = useSite();
  const name = useSiteName();
  return (
    <div className="relative -mx-4 -mt-4 mb-4 grid h-44 place-items-center overflow-hidden">
      {site?.login_bg && (
        <img
          src={site.login_bg}
          alt=""
          className="absolute inset-0 size-full mask-b-from-60% object-cover object-top"
        />
      )}
      <div className="relative flex flex-col items-center gap-2">
        <img src={site?.ico || "/icons/trio.svg"} alt="" width={72} height={72} className="size-18 rounded-lg" />
        <p className="rounded-full bg-paper px-3 text-lg font-semibold">{name}</p>
      </div>
    </div>
  );
}
