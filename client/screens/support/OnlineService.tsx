import { LanguageName } from "#client/components/OperatorText.tsx";
import { ExternalLink, Headset, PhoneOff } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "#client/components/Button.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFrameBlocked } from "#client/hooks/use-frame-blocked.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { DeadEnd } from "#client/screens/site/DeadEnd.tsx";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { frameOrigin } from "#shared/frame-origin.ts";
import { Conversation } from "./Conversation.tsx";

/** The support screen: a member's conversation, or for guests and at `/ServicePage` the operator's own page. */
export default function OnlineService() {
  const text = useText();
  const { data: site, isError, error, refetch } = useSite();
  return (
    <Screen title={text("service.title")}>
      {site ? (
        <Service site={site} />
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy>
          <Skeleton className="mb-4 h-11" />
          <Skeleton className="h-96" />
        </div>
      )}
    </Screen>
  );
}

function Service({ site }: { site: BaseInfo }) {
  const text = useText();
  const isMember = useIsMember();
  const isPage = useLocation().pathname.toLowerCase().startsWith("/servicepage");
  const address = contactAddress(site.kefu);
  if (site.iskefu !== 1)
    return (
      <DeadEnd Icon={PhoneOff}>
        <Notice title={text("service.off")}>{text("service.offHint")}</Notice>
      </DeadEnd>
    );
  if (!isMember || (isPage && address !== null))
    return (
      <div className="flex flex-col gap-5">
        {!isMember && <ForGuests isOnlyWay={address === null} />}
        <Hours site={site} />
        {address !== null && <OwnPage kefu={site.kefu} address={address} />}
      </div>
    );
  return (
    <Conversation>
      <Hours site={site}>{text("service.later")}</Hours>
      {address !== null && (
        <ButtonLink look="quiet" to="/ServicePage" className="w-full">
          {text("service.beside")}
        </ButtonLink>
      )}
    </Conversation>
  );
}

/** Guests are told how to write, and whom to ask who cannot log in. Who is locked out is told why, and not to log in. */
function ForGuests({ isOnlyWay }: { isOnlyWay: boolean }) {
  const text = useText();
  // Only this app writes location state.
  const { locked } = (useLocation().state ?? {}) as { locked?: string };
  return (
    <div className="flex flex-col items-center gap-4 pt-6 text-center text-balance">
      <span className="grid size-20 place-items-center rounded-full bg-brand-soft text-brand-text">
        <Headset size={36} strokeWidth={1.5} aria-hidden />
      </span>
      {locked === undefined ? <HowToWrite /> : <p className="text-base font-semibold">{locked}</p>}
      {isOnlyWay && (
        <p className="text-sm text-muted">
          <Notice title={text("service.lost")}>{text("service.noneHint")}</Notice>
        </p>
      )}
    </div>
  );
}

function HowToWrite() {
  const text = useText();
  return (
    <>
      <p className="text-base text-muted">
        <Notice title={text("service.guest")}>{text("service.guestHint")}</Notice>
      </p>
      <ButtonLink to="/Login" state={{ from: "/ServiceOnline" }} className="w-full max-w-80">
        {text("action.login")}
      </ButtonLink>
    </>
  );
}

/** The operator's own page in a frame, or a link to it. */
function OwnPage({ kefu, address }: { kefu: string; address: string }) {
  const text = useText();
  const isBlocked = useFrameBlocked();
  const isFramed = frameOrigin(kefu) !== null && !isBlocked;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-muted">{text(isFramed ? "service.unseen" : "service.elsewhere")}</p>
      <Way address={address} />
      {isFramed && (
        <iframe
          title={text("service.frame")}
          src={address}
          // The frame may do what a chat needs, but not navigate the app away.
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
          className="-mx-4 h-[calc(100dvh-260px)] min-h-96 w-auto border-0 border-t border-line bg-sunken"
        />
      )}
    </div>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <span className="mb-2 block font-semibold text-ink">{title}</span>
      <span className="block">{children}</span>
    </>
  );
}

/** The support hours in the operator's words, and what follows from them; 24/7 has a translated text. */
function Hours({ site, children }: { site: BaseInfo; children?: ReactNode }) {
  const text = useText();
  const { kefu_hours: hours, langs } = site;
  if (hours === "") return null;
  const isAlways = /^(7\s*[*×x/]\s*24|24\s*[*×x/]\s*7)$/i.test(hours.trim());
  return (
    <p className="text-center text-sm text-balance">
      {text("service.hours", { hours: isAlways ? text("service.always") : hours })}
      {!isAlways && <LanguageName lang={langs?.kefu_hours} />}
      {!isAlways && children && <span className="block text-muted">{children}</span>}
    </p>
  );
}

/** A link out of the app: web pages open in a new tab, other addresses in their own program. */
function Way({ address }: { address: string }) {
  const text = useText();
  const opensPage = isPage(address);
  return (
    <a
      href={address}
      {...(opensPage ? { target: "_blank", rel: "noreferrer" } : {})}
      className="inline-flex min-h-12 items-center justify-center gap-2 rounded-md border border-edge bg-card px-5 py-2 text-center font-semibold"
    >
      {text(opensPage ? "service.open" : "service.contact")}
      <ExternalLink size={18} aria-hidden className="shrink-0" />
    </a>
  );
}

const REACHED = /^(https?|mailto|tel):$/;

/** The contact address as a safe link; null for any other protocol. */
function contactAddress(given: string): string | null {
  if (!URL.canParse(given)) return null;
  const { protocol, href } = new URL(given);
  return REACHED.test(protocol) ? href : null;
}

/** Whether an address opens a web page rather than another program. */
const isPage = (address: string): boolean => /^https?:/.test(address);
