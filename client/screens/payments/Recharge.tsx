import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { BreakNote } from "#client/screens/wallet/BreakNote.tsx";
import { useBreak } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { RechargeForm } from "./RechargeForm.tsx";
import { RecordsLink } from "./RecordCard.tsx";

/** Asks for the amount of a top-up. The typed amount stays until it is paid. */
export default function Recharge() {
  const text = useText();
  const { data: site, isError, error, refetch } = useSite();
  if (site)
    return (
      <Screen
        title={text("recharge.title")}
        aside={<RecordsLink to="/RechargeRecord" name={text("recharge.records")} />}
        hasAmounts
      >
        <FormOrWhyNot site={site} />
      </Screen>
    );
  return (
    <Screen title={text("recharge.title")}>
      {isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <WaitingForm />}
    </Screen>
  );
}

function FormOrWhyNot({ site }: { site: BaseInfo }) {
  const until = useBreak();
  if (site.close_recharge === 1) return <Closed hasService={site.iskefu === 1} />;
  if (until === undefined) return <WaitingForm />;
  return until === null ? <RechargeForm site={site} /> : <BreakNote until={until} />;
}

function Closed({ hasService }: { hasService: boolean }) {
  const text = useText();
  return (
    <EmptyNote drawing="closed" title={text("recharge.closed")}>
      {hasService ? (
        <ButtonLink to="/ServiceOnline">{text("mine.service")}</ButtonLink>
      ) : (
        <ButtonLink look="quiet" to="/RechargeRecord">
          {text("recharge.records")}
        </ButtonLink>
      )}
    </EmptyNote>
  );
}

function WaitingForm() {
  return (
    <div className="flex flex-col gap-4" aria-busy>
      <Skeleton className="h-16" />
      <Skeleton className="h-20" />
      <Skeleton className="h-24" />
      <Skeleton className="h-12" />
    </div>
  );
}
