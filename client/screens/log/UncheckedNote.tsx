import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { WatchReport } from "#client/watch/messages.ts";
import { toSeconds } from "#shared/time.ts";
import { BetLink } from "./BetLink.tsx";
import { EvidenceButton } from "./Findings.tsx";

/** What the house has not answered for long: no alarm, and nothing that counts as checked. */
export function UncheckedNote({ report }: { report: WatchReport }) {
  const { log, rounds, bets, own } = report.unchecked;
  const text = useText();
  return (
    <section role="status" className="flex items-start gap-3 rounded-lg bg-sunken p-4">
      <Info size={28} aria-hidden className="shrink-0 text-muted" />
      <div className="flex min-w-0 flex-col gap-3 text-sm">
        <h2 className="text-base font-semibold">{text("watch.unchecked.title")}</h2>
        {log && <Unchecked what={text("watch.entries")} since={log.since} />}
        {rounds && (
          <Unchecked what={text("watch.roundsWaiting")} since={rounds.since}>
            <p className="figures">{rounds.count}</p>
          </Unchecked>
        )}
        {bets && (
          <Unchecked what={text("watch.betsWaiting")} since={bets.since}>
            <ul className="flex flex-col">
              {bets.receipts.map((bet) => (
                <li key={`${bet.origin} ${bet.order}`}>
                  <BetLink {...bet} />
                </li>
              ))}
            </ul>
          </Unchecked>
        )}
        {own && <Unchecked what={text("watch.own.title")} since={own.since} />}
        {report.findings.length === 0 && <EvidenceButton report={report} />}
      </div>
    </section>
  );
}

function Unchecked({ what, since, children }: { what: string; since: number; children?: ReactNode }) {
  const text = useText();
  const time = useTime();
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-medium">{what}</h3>
      <p className="figures text-muted">{text("watch.unchecked.since", { time: time(toSeconds(since)) })}</p>
      {children}
    </div>
  );
}
