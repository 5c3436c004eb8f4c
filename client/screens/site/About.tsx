import type { ReactNode } from "react";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { beaconWords, useBeacon } from "#client/hooks/use-beacon.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

/** What this site is and is not, in plain words, with links to fairness, limits and the report. */
export default function About() {
  const text = useText();
  const balance = useBalanceMeaning();
  const beacon = useBeacon();
  return (
    <Screen title={text("about.title")}>
      <div className="flex flex-col gap-4">
        <Chapter title={text("about.isTitle")} says={[text("about.is1"), balance, text("about.is3")]} />
        <Chapter title={text("about.isNotTitle")} says={[text("about.not1"), text("about.not2"), text("about.not3")]} />
        <Chapter
          title={text("about.drawsTitle")}
          says={[text("about.draws1"), text("about.draws2"), text("about.draws3"), text(beaconWords(beacon))]}
        >
          <Way to="/Fair">{text("fair.title")}</Way>
        </Chapter>
        <Chapter title={text("about.careTitle")} says={[text("about.care1"), text("about.care2")]}>
          <Way to="/Limits">{text("mine.limits")}</Way>
          <Way to="/Personalreport">{text("mine.report")}</Way>
        </Chapter>
        <p className="px-1 text-xs text-muted">{text("about.version")}</p>
      </div>
    </Screen>
  );
}

/** What the balance is in: points, or the currency and its licence. */
function useBalanceMeaning(): string {
  const text = useText();
  const { data: site } = useSite();
  if (!site || site.unit === "point") return text("about.is2");
  return text("about.is2Money", { unit: site.unit, licence: site.licence || "–" });
}

function Chapter({ title, says, children }: { title: string; says: string[]; children?: ReactNode }) {
  return (
    <Card>
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      <ul className="flex list-disc flex-col gap-2 ps-5 marker:text-brand-text">
        {says.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {children && <div className="mt-4 flex flex-wrap gap-3">{children}</div>}
    </Card>
  );
}

function Way({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink look="quiet" to={to} className="flex-1">
      {children}
    </ButtonLink>
  );
}
