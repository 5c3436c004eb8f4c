import { BadgeCheck, Download, Info } from "lucide-react";
import { useSearchParams } from "react-router";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { readStored } from "#client/storage/local-storage.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useSpan } from "#client/text/use-span.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { foundAlone } from "#client/watch/evidence-of.ts";
import type { WatchReport } from "#client/watch/messages.ts";
import { toSeconds } from "#shared/time.ts";
import { CompareCard } from "./CompareCard.tsx";
import { ChainDrawing, LogDrawing } from "./Drawings.tsx";
import { Findings } from "./Findings.tsx";
import { takesNothing } from "./found-words.ts";
import { OrderProof } from "./OrderProof.tsx";
import { OwnLeaves } from "./OwnLeaves.tsx";
import { saveKept } from "./save-evidence.ts";
import { UncheckedNote } from "./UncheckedNote.tsx";
import { hasFailed, useFindings, useWatchedMember, useWatchReport } from "./use-watch.ts";

/** What this device has kept and checked by itself, how to compare it with another one, and what a log is. */
export default function Proof() {
  const text = useText();
  const asked = useSearchParams()[0];
  const order = asked.get("order");
  const read = useWatchReport();
  const isFailed = hasFailed(read);
  const report = isFailed ? undefined : read.data;
  const member = useWatchedMember();
  const isMember = useIsMember();
  return (
    <Screen title={text("watch.title")}>
      <div className="flex flex-col gap-4">
        {order && isMember && <OrderProof key={asked.toString()} order={order} origin={asked.get("log")} />}
        <p className="text-sm text-muted">{text("watch.intro")}</p>
        {isFailed && <Failed error={read.error} onRetry={() => void read.refetch()} />}
        {!report && !isFailed && <SkeletonRows rows={3} className="h-32" />}
        {report && <Checked report={report} />}
        {report?.log && member !== "" && <OwnLeaves own={report.own} />}
        {report?.log && <CompareCard report={report} />}
        <ChainDrawing />
        <LogDrawing />
        {report && <Keeping report={report} />}
      </div>
    </Screen>
  );
}

/** What was found and can be saved all the same, where the watcher gives no report. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  const { data: found } = useFindings();
  return (
    <>
      {found && <Findings report={foundAlone(found)} />}
      <FailedNote error={error} reason={text("state.broken")} onRetry={onRetry} />
    </>
  );
}

/** What was found, or that nothing was, and how much was checked. */
export function Checked({ report }: { report: WatchReport }) {
  const text = useText();
  const { log, findings, lost, unchecked } = report;
  const time = useTime();
  const isUnchecked = Object.values(unchecked).some((one) => one !== null);
  if (!log && findings.length === 0 && !isUnchecked)
    return (
      <EmptyNote drawing="proof" title={text("watch.nobody")}>
        <ButtonLink look="quiet" to="/Game">
          {text("order.toGames")}
        </ButtonLink>
      </EmptyNote>
    );
  return (
    <>
      {findings.every(takesNothing) && !isUnchecked && <Nothing report={report} />}
      {isUnchecked && <UncheckedNote report={report} />}
      <Findings report={report} />
      {lost && <p className="text-sm">{text("watch.lost", { time: time(toSeconds(lost.since)) })}</p>}
      {log && <Counted report={report} since={log.since} origin={log.origin} />}
    </>
  );
}

/**
 * Nothing was found. It is green only where rounds were checked, most of them in full, where a week in the log vouches for
 * all seeds, and where the witnesses sign what the house says now.
 */
function Nothing({ report: { days, rounds, untold, witnesses } }: { report: WatchReport }) {
  const text = useText();
  const isLate = days.young + days.unproved > 0;
  const isChecked = rounds > 0 && untold <= rounds;
  const isSigned = witnesses.signed >= witnesses.needed && (witnesses.signed > 0 || witnesses.by.length === 0);
  const isGood = !isLate && isChecked && isSigned;
  const Icon = isGood ? BadgeCheck : Info;
  return (
    <div role="status" className={`flex items-start gap-3 rounded-lg p-4 ${isGood ? "bg-jade-soft" : "bg-sunken"}`}>
      <Icon size={28} aria-hidden className={`shrink-0 ${isGood ? "text-jade" : "text-muted"}`} />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-base font-semibold">{text("watch.nothing")}</p>
        {isLate && <p className="text-sm">{text("watch.youngHint")}</p>}
        {!isChecked && <p className="text-sm">{text("watch.fewChecked")}</p>}
      </div>
    </div>
  );
}

function Counted({ report, since, origin }: { report: WatchReport; since: number; origin: string }) {
  const text = useText();
  const time = useTime();
  const { rounds, untold, days, beacons, early, hereEarly, bets } = report;
  const figure = (count: number) => <span className="figures">{count}</span>;
  const facts = [
    [text("watch.signedBy"), <span className="break-all">{origin.split("/")[0]}</span>],
    [text("watch.since"), <span className="figures">{time(toSeconds(since))}</span>],
    [text("watch.rounds"), figure(rounds)],
    ...(untold > 0 ? [[text("watch.untold"), figure(untold)] as const] : []),
    ...(days.young > 0 ? [[text("watch.young"), figure(days.young)] as const] : []),
    ...(days.unproved > 0 ? [[text("watch.unproved"), figure(days.unproved)] as const] : []),
    ...(beacons > 0
      ? ([
          [text("watch.beacons"), figure(beacons)],
          [text("watch.early"), figure(early)],
          [text("watch.hereEarly"), figure(hereEarly)],
        ] as const)
      : []),
    [text("watch.bets"), figure(bets.counted)],
    ...(bets.waiting > 0 ? [[text("watch.betsWaiting"), figure(bets.waiting)] as const] : []),
    ...(bets.dropped > 0 ? [[text("watch.betsDropped"), figure(bets.dropped)] as const] : []),
  ] as const;
  return (
    <Card className="flex flex-col gap-3">
      <Facts facts={facts} />
      <Signers witnesses={report.witnesses} />
    </Card>
  );
}

/** Who signs the log beside the house, who did before, and whether those are as many as it promised. */
function Signers({ witnesses: { by, signed, needed, mostNeeded } }: Pick<WatchReport, "witnesses">) {
  const text = useText();
  const behind = by.filter(({ isBehind }) => isBehind);
  // Witnesses that are only slow are no fault of the house.
  const fewLook = by.length < needed ? "text-sm text-bad" : "text-sm";
  return (
    <>
      {by.length === 0 && (
        <p className={needed > 0 ? "text-sm text-bad" : "text-sm text-muted"}>{text("watch.houseAlone")}</p>
      )}
      {signed > 0 && <Signed title={text("watch.alsoSigned")} by={by.filter(({ isBehind }) => !isBehind)} />}
      {behind.length > 0 && <Signed title={text("watch.signedBefore")} by={behind} />}
      {signed < needed && <p className={fewLook}>{text("watch.tooFew", { signed, needed })}</p>}
      {needed < mostNeeded && <p className="text-sm text-bad">{text("watch.fewer", { needed, before: mostNeeded })}</p>}
    </>
  );
}

function Signed({ title, by }: { title: string; by: WatchReport["witnesses"]["by"] }) {
  const text = useText();
  const time = useTime();
  const span = useSpan();
  return (
    <>
      <h3 className="text-sm text-muted">{title}</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {by.map(({ name, key, at, behindMs, isBehind }) => (
          <li key={key} className="flex flex-wrap justify-between gap-x-3">
            <span className="break-all">{name}</span>
            <span className="figures text-muted">{time(toSeconds(at))}</span>
            {isBehind && <p className="w-full">{text("watch.behind", { time: span(toSeconds(behindMs)) })}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** How long it is kept, and a file for whoever wants to be sure. */
function Keeping({ report }: { report: WatchReport }) {
  const text = useText();
  const isAgreed = readStored("mayKeep") === "yes";
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{text("watch.keep")}</h2>
      <p className="text-sm">
        {text(!report.isLasting ? "watch.keptMemory" : isAgreed ? "watch.keptYes" : "watch.keptNo")}
      </p>
      <Button look="quiet" onClick={() => saveKept("kept", report)}>
        <Download size={18} aria-hidden />
        {text("watch.save")}
      </Button>
    </Card>
  );
}
