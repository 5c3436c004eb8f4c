import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { useFrameBlocked } from "#client/hooks/use-frame-blocked.ts";
import { useText } from "#client/text/use-text.ts";
import { hasLeftPaying, payAddress } from "./pay-address.ts";

interface Props {
  /** The payment address, as the server returned it. */
  address: string;
  /** Called when the frame has returned to this app. */
  onLeft: () => void;
}

/** The channel's page in a frame, removed once it returns to this app. A link opens it in a new tab instead. */
export function PayFrame({ address, onLeft }: Props) {
  const text = useText();
  const page = payAddress(address);
  const [isShown, show] = useState(true);
  const isBlocked = useFrameBlocked();
  const look = (frame: HTMLIFrameElement) => {
    if (!hasLeftPaying(frame)) return;
    show(false);
    onLeft();
  };
  return (
    <div className="-mx-4 -mt-4 flex flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-4 pt-2">
        <p role="status" className="text-sm text-muted">
          {text("channel.waiting")}
        </p>
        <a
          href={page}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 text-sm text-brand-text underline underline-offset-4"
        >
          {text("channel.newTab")}
          <ExternalLink size={16} aria-hidden className="shrink-0" />
        </a>
      </div>
      {isShown && !isBlocked && (
        <iframe
          title={text("channel.frame")}
          src={page}
          onLoad={({ currentTarget }) => look(currentTarget)}
          className="h-[calc(100dvh-160px)] min-h-96 w-full border-0 border-t border-line bg-sunken"
        />
      )}
      {!isShown && <Returned onShow={() => show(true)} />}
    </div>
  );
}

/** The frame returned before the payment's status was known. */
function Returned({ onShow }: { onShow: () => void }) {
  const text = useText();
  return (
    <div className="flex flex-col items-center gap-3 border-t border-line px-6 py-12">
      <Button look="quiet" onClick={onShow}>
        {text("channel.paying")}
      </Button>
      <ButtonLink look="bare" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </div>
  );
}
