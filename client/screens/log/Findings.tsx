import { useQuery } from "@tanstack/react-query";
import { Download, Info, TriangleAlert } from "lucide-react";
import { Button } from "#client/components/Button.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { evidenceOf, type Shown } from "#client/watch/evidence-of.ts";
import { betIn, type BetName } from "#client/watch/finding.ts";
import { HOW_TO_CHECK } from "#shared/log/evidence/file.ts";
import type { EvidenceVerdict } from "#shared/log/evidence/verdict.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { toSeconds } from "#shared/time.ts";
import { BetLink } from "./BetLink.tsx";
import { FOUND_WORDS, isAnnounced } from "./found-words.ts";
import { saveEvidence } from "./save-evidence.ts";

/** What was found, with the file of evidence: an alarm, but for what the house announced. */
export function Findings({ report }: { report: Shown }) {
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

function List({ findings }: { findings: readonly Finding[] }) {
  const text = useText();
  const time = useTime();
  return (
    <ul className="flex min-w-0 flex-col gap-3">
      {findings.map((finding) => (
        <li key={`${finding.kind} ${finding.subject}`} className="flex flex-col gap-1 text-sm">
          <p className="font-medium">{text(`watch.found.${FOUND_WORDS[finding.kind]}`)}</p>
          <OfBet bet={betIn(finding)} />
          <p className="figures text-muted">{time(toSeconds(finding.at))}</p>
        </li>
      ))}
    </ul>
  );
}

const OfBet = ({ bet }: { bet: BetName | null }) => bet && <BetLink {...bet} />;

/** Saves what was found, and what the house owes; says what that file proves to others, and how they check it. */
export function EvidenceButton({ report }: { report: Shown }) {
  const text = useText();
  const verdict = useEvidenceVerdict(report);
  return (
    <div className="flex flex-col gap-2 text-sm">
      <Button look="quiet" onClick={() => saveEvidence(report)}>
        <Download size={18} aria-hidden />
        {text("watch.evidence")}
      </Button>
      {verdict && <p>{text(verdict === "convicts" ? "watch.proves" : "watch.claims")}</p>}
      <p className="flex flex-col gap-1">
        {text("fair.command")}
        <code className="wrap-anywhere">{HOW_TO_CHECK.replace("FILE", "trio-evidence.json")}</code>
      </p>
    </div>
  );
}

/** What the file comes to, as everybody else finds it. What checks it is loaded where there is something to check. */
function useEvidenceVerdict(report: Shown): EvidenceVerdict | undefined {
  const content = evidenceOf(report, window.location.origin, 0);
  return useQuery({
    queryKey: ["watch", "verdict", content],
    queryFn: async () => (await import("./judge-evidence.ts")).verdictOfText(content),
    staleTime: Infinity,
  }).data;
}
