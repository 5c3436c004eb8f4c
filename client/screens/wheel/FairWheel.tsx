import { useEndpoint } from "#client/api/queries.ts";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton, SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { Hex, StepFact } from "#client/screens/lottery/CheckStep.tsx";
import { luckdrawList } from "#shared/contract/wheel.ts";
import { countUnchecked, isKeptBack, type Seeds } from "./kept-pairs.ts";
import { PairNotes } from "./PairNotes.tsx";
import { PastPair } from "./PastPair.tsx";
import { SeedForm } from "./SeedForm.tsx";
import { useLogOrigin } from "./use-log-origin.ts";
import { usePairTold } from "./use-pair-told.ts";
import { usePast } from "./use-past.ts";
import { useWheelSeeds } from "./use-wheel-seeds.ts";

/** The member's wheel seed pairs: the current one, a form to change it, and the previous one, verified here. */
export default function FairWheel() {
  const text = useText();
  const seeds = useWheelSeeds();
  return (
    <Screen title={text("wheel.check")}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{text("wheel.fairIntro")}</p>
        <p className="text-sm text-muted">{text("wheel.noBeacon")}</p>
        {seeds.data ? (
          <Pairs seeds={seeds.data} />
        ) : seeds.isError ? (
          <FailedNote error={seeds.error} onRetry={() => void seeds.refetch()} />
        ) : (
          <SkeletonRows rows={3} className="h-44" />
        )}
      </div>
    </Screen>
  );
}

function Pairs({ seeds }: { seeds: Seeds }) {
  const text = useText();
  const { next_commit } = seeds;
  const prizes = useEndpoint(luckdrawList);
  const { isTold, isUntold, isTableUntold } = usePairTold(seeds, prizes.data);
  return (
    <>
      <PairNotes seeds={seeds} />
      <PairNow seeds={seeds} />
      {isTold ? (
        <SeedForm key={next_commit} seeds={seeds} />
      ) : (
        <Card>
          <h2 className="mb-1 font-semibold">{text("wheel.change")}</h2>
          {isUntold && <p className="text-sm text-muted">{text("wheel.untold")}</p>}
          {isTableUntold && <p className="text-sm text-muted">{text("wheel.tableUntold")}</p>}
          {!isUntold && !isTableUntold && <Skeleton className="h-16" />}
        </Card>
      )}
      <PairBefore seeds={seeds} />
    </>
  );
}

/** The pair whose seed is public. One that the house keeps back is not called checked, nor are those that it shows no more. */
function PairBefore({ seeds }: { seeds: Seeds }) {
  const text = useText();
  const isLogKnown = useLogOrigin(seeds);
  const past = usePast(seeds);
  if (!isLogKnown || past === undefined) return <Skeleton className="h-40" />;
  const isBack = isKeptBack(seeds);
  const unchecked = countUnchecked(seeds);
  return (
    <>
      {(isBack || !past) && (
        <Card>
          <h2 className="mb-1 font-semibold">{text("wheel.pairBefore")}</h2>
          <p className={`text-sm ${isBack ? "" : "text-muted"}`}>
            {text(isBack ? "wheel.unshown" : "wheel.noPairBefore")}
          </p>
        </Card>
      )}
      {past && <PastPair past={past} />}
      {unchecked > 0 && <p className="text-sm">{text("wheel.unchecked", { number: String(unchecked) })}</p>}
    </>
  );
}

function PairNow({ seeds: { commit, client_seed, table, nonce } }: { seeds: Seeds }) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">{text("wheel.pairNow")}</h2>
      {commit === null ? (
        <p className="text-sm text-muted">{text("wheel.notBegun")}</p>
      ) : (
        <>
          <Hex name={text("wheel.commit")} value={commit} />
          <StepFact name={text("wheel.words")}>
            <code className="font-mono text-sm break-all">{client_seed}</code>
          </StepFact>
          {table && <Hex name={text("wheel.table")} value={table.hash} />}
          <StepFact name={text("wheel.nonce")}>
            <span className="figures">{nonce}</span>
          </StepFact>
        </>
      )}
    </Card>
  );
}
