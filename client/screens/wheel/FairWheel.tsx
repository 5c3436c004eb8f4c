import { useEndpoint } from "#client/api/queries.ts";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { Hex, StepFact } from "#client/screens/lottery/CheckStep.tsx";
import { PastPair } from "./PastPair.tsx";
import { SeedForm } from "./SeedForm.tsx";
import type { Seeds } from "./use-wheel-seeds.ts";

/** The member's wheel seed pairs: the current one, a form to change it, and the previous one, verified here. */
export default function FairWheel() {
  const text = useText();
  const seeds = useEndpoint(wheelSeeds);
  return (
    <Screen title={text("wheel.check")}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{text("wheel.fairIntro")}</p>
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
  const { commit, client_seed, nonce, previous } = seeds;
  return (
    <>
      <Card className="flex flex-col gap-3">
        <h2 className="font-semibold">{text("wheel.pairNow")}</h2>
        <Hex name={text("wheel.commit")} value={commit} />
        <StepFact name={text("wheel.words")}>
          <code className="font-mono text-sm break-all">{client_seed}</code>
        </StepFact>
        <StepFact name={text("wheel.nonce")}>
          <span className="figures">{nonce}</span>
        </StepFact>
      </Card>
      <SeedForm />
      {previous ? (
        <PastPair pair={previous} />
      ) : (
        <Card>
          <h2 className="mb-1 font-semibold">{text("wheel.pairBefore")}</h2>
          <p className="text-sm text-muted">{text("wheel.noPairBefore")}</p>
        </Card>
      )}
    </>
  );
}
