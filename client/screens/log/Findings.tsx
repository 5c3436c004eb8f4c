import { Download, Info, TriangleAlert } from "lucide-react";
import { Button } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { WatchReport } from "#client/watch/messages.ts";
import type { EvidenceOf } from "#shared/log/evidence/forms.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { toSeconds } from "#shared/time.ts";
import { BetLink } from "./BetLink.tsx";
import { FOUND_WORDS, isAnnounced } from "./found-words.ts";
import { saveEvidence } from "./save-evidence.ts";

/** What was found, with the file of evidence: an alarm, but for what the house announced. */
export function Findings({ report }: { report: WatchReport }) {
  const text = useText();
  const announced = report.findings.filter(isAnnounced);
  const contradictions = report.findings.filter((one) => !isAnnounced(one));
  return (
    <>
      {contradictions.length > 0 && (
        <section className="flex flex-col gap-3 rounded-lg bg-bad-soft p-4">
          <h2 role="alert" className="flex items-start gap-3 text-base font-semibold">
            <TriangleAlert size={28} aria-hidden className="shrink-0 text-bad" />
            {text("watch.something")}
          </h2>
          <List findings={contradictions} />
          <EvidenceButton report={report} />
        </section>
      )}
      {announced.length > 0 && (
        <section className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
          <div className="flex items-start gap-3">
            <Info size={28} aria-hidden className="shrink-0 text-muted" />
            <List findings={announced} />
          </div>
          {contradictions.length === 0 && <EvidenceButton report={report} />}
        </section>
      )}
    </>
  );
}

const betIn = ({ evidence }: Finding) => (evidence as EvidenceOf<"betLost">).receipt;

function List({ findings }: { findings: readonly Finding[] }) {
  const text = useText();
  const time = useTime();
  return (
    <ul className="flex min-w-0 flex-col gap-3">
      {findings.map((finding) => (
        <li key={`${finding.kind} ${finding.subject}`} className="flex flex-col gap-1 text-sm">
          <p className="font-medium">{text(`watch.found.${FOUND_WORDS[finding.kind]}`)}</p>
          {finding.kind === "betLost" && <BetLink {...betIn(finding)} />}
          <p className="figures text-muted">{time(toSeconds(finding.at))}</p>
        </li>
      ))}
    </ul>
  );
}

/** Saves what was found, and what the house owes. */
export function EvidenceButton({ report }: { report: WatchReport }) {
  const text = useText();
  return (
    <Button look="quiet" onClick={() => saveEvidence(report)}>
      <Download size={18} aria-hidden />
      {text("watch.evidence")}
    </Button>
  );
}
