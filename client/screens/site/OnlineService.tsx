import { ExternalLink, Headset, PhoneOff } from "lucide-react";
import type { ReactNode } from "react";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFrameBlocked } from "#client/hooks/use-frame-blocked.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { frameOrigin } from "#shared/frame-origin.ts";
import { DeadEnd } from "./DeadEnd.tsx";

/** The support screen: the operator's page in a frame, or a link to it, and its hours. */
export default function OnlineService() {
  const text = useText();
  const { data: site, isError, error, refetch } = useSite();
  return (
    <Screen title={text("service.title")}>
      {site ? (
        <ServiceFrame site={site} />
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

function ServiceFrame({ site: { iskefu, kefu, kefu_hours } }: { site: BaseInfo }) {
  const text = useText();
  const isBlocked = useFrameBlocked();
  const address = contactAddress(kefu);
  if (iskefu !== 1)
    return (
      <DeadEnd Icon={PhoneOff}>
        <Notice title={text("service.off")}>{text("service.offHint")}</Notice>
      </DeadEnd>
    );
  if (address === null)
    return (
      <DeadEnd Icon={Headset}>
        <Notice title={text("service.none")}>{text("service.noneHint")}</Notice>
        <Hours hours={kefu_hours} />
      </DeadEnd>
    );
  const isFramed = frameOrigin(kefu) !== null && !isBlocked;
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Hours hours={kefu_hours} />
      </p>
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

/** The support hours in the operator's words; 24/7 has a translated text. */
function Hours({ hours }: { hours: string }) {
  const text = useText();
  if (hours === "") return null;
  const isAlways = /^(7\s*[*×x/]\s*24|24\s*[*×x/]\s*7)$/i.test(hours.trim());
  return (
    <span className="mt-2 block text-sm">
      {text("service.hours", { hours: isAlways ? text("service.always") : hours })}
    </span>
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
