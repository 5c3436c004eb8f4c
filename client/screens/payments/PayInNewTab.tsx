import { ExternalLink } from "lucide-react";
import { ButtonLink } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";
import { channelAddress } from "./pay-address.ts";

/** A channel that refuses framing: its page opens in a new tab, and this screen waits for the payment. */
export function PayInNewTab({ address }: { address: string }) {
  const text = useText();
  return (
    <div className="flex flex-col items-stretch gap-4 rounded-lg border border-line bg-card px-4 py-6 text-center">
      <p role="status">{text("channel.beside")}</p>
      <a
        href={channelAddress(address)}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-12 items-center justify-center gap-2 rounded-md bg-brand-deep px-5 font-semibold text-on-brand hover:brightness-110"
      >
        {text("channel.open")}
        <ExternalLink size={18} aria-hidden className="shrink-0" />
      </a>
      <ButtonLink look="bare" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </div>
  );
}
