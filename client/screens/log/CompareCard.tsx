import { RefreshCw } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { QrCode } from "#client/components/QrCode.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { Compared, WatchReport } from "#client/watch/messages.ts";
import { request, whenWatching } from "#client/watch/watch.ts";
import { toSeconds } from "#shared/time.ts";
import { useWatchedMember } from "./use-watch.ts";

const GOOD: ReadonlySet<Compared> = new Set(["same", "linked"]);
const BAD: ReadonlySet<Compared> = new Set(["differs", "otherBalance"]);

/** A code of the newest head, and twelve words of the first one since a full hour; and what came of comparing, if another one's code led here. */
export function CompareCard({ report: { hour, size, address } }: { report: WatchReport }) {
  const text = useText();
  const compared = useCompared();
  const { isBusy, renew } = useRenew();
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{text("watch.compare")}</h2>
      {compared && (
        <p
          role="status"
          className={`rounded-md px-4 py-3 text-sm ${GOOD.has(compared) ? "bg-jade-soft text-jade" : BAD.has(compared) ? "bg-bad-soft text-bad" : "bg-sunken"}`}
        >
          {text(`watch.compared.${compared}`)}
        </p>
      )}
      <p className="text-sm">{text(address === null ? "watch.noCode" : "watch.compareText")}</p>
      {address && <QrCode address={address} label={text("watch.code")} />}
      <Facts facts={[[text("watch.entries"), <span className="figures">{size}</span>]]} />
      {hour && <Words {...hour} />}
      <Button look="quiet" isBusy={isBusy} onClick={renew}>
        <RefreshCw size={18} aria-hidden />
        {text("watch.renew")}
      </Button>
    </Card>
  );
}

function Words({ hour, words }: NonNullable<WatchReport["hour"]>) {
  const text = useText();
  const time = useTime();
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm text-muted">{text("watch.words", { time: time(toSeconds(hour)) })}</h3>
      <p
        translate="no"
        lang="zxx"
        className="grid grid-tiles gap-x-3 gap-y-1 font-mono text-sm [--columns:3] [--tile:5em]"
      >
        {words.map((word, place) => (
          <span key={`${place} ${word}`}>{word}</span>
        ))}
      </p>
    </div>
  );
}

/** Compares with the head in this page's address, once. */
function useCompared(): Compared | null {
  const { hash } = useLocation();
  const member = useWatchedMember();
  const [compared, show] = useState<Compared | null>(null);
  useEffect(() => {
    if (!hash.startsWith("#head=")) return undefined;
    let isOver = false;
    const compare = async () => {
      await whenWatching;
      const outcome = await request("compare", { address: window.location.href, member });
      if (!isOver) show(outcome);
    };
    compare().catch(() => !isOver && show("unknown"));
    return () => void (isOver = true);
  }, [hash, member]);
  return compared;
}

function useRenew() {
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const renew = async () => {
    setBusy(true);
    await request("renew", {}).catch(() => false);
    await queryClient.invalidateQueries({ queryKey: ["watch"] });
    setBusy(false);
  };
  return { isBusy, renew: () => void renew() };
}
