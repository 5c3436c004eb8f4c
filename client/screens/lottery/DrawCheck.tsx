import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { RefusedCall } from "#client/api/call-error.ts";
import { useDrawCheck } from "./use-draw-check.ts";
import { useDrawPick, type DrawPick } from "./use-draw-pick.ts";
import { useText } from "#client/text/use-text.ts";
import { DrawPickForm } from "./DrawPickForm.tsx";
import { DrawSteps, MissedSteps } from "./DrawSteps.tsx";
import { DrawVerdict } from "./DrawVerdict.tsx";
import { VerifyCommand } from "./VerifyCommand.tsx";

/** Verifies any draw on the reader's own device, step by step, and what a round in a gap would have drawn. */
export default function DrawCheck() {
  const text = useText();
  const { games, gamesError, retryGames, picked, offered, pick } = useDrawPick();
  const check = useDrawCheck(picked);
  const roundError = check.error instanceof RefusedCall ? check.error.fields["expect"] : undefined;
  return (
    <Screen title={text("fair.title")}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{text("fair.intro")}</p>
        {gamesError && !picked ? (
          <FailedNote error={gamesError} onRetry={retryGames} />
        ) : (
          <DrawPickForm games={games} offered={offered} onPick={pick} roundError={roundError} />
        )}
        {!picked && !games && !gamesError && <SkeletonRows rows={4} className="h-40" />}
        {picked && !roundError && <Checked pick={picked} check={check} />}
        {games && !picked && (
          <EmptyNote drawing="draws" title={text("game.noDraw")}>
            <ButtonLink look="quiet" to="/Game">
              {text("order.toGames")}
            </ButtonLink>
          </EmptyNote>
        )}
        <ButtonLink look="quiet" to="/Proof">
          {text("watch.title")}
        </ButtonLink>
        <ButtonLink look="bare" to="/About">
          {text("fair.howTitle")}
        </ButtonLink>
      </div>
    </Screen>
  );
}

function Checked({ pick, check }: { pick: DrawPick; check: ReturnType<typeof useDrawCheck> }) {
  const { round, drawn, missed, recomputed, error, retry } = check;
  if (error) return <FailedNote error={error} onRetry={retry} />;
  return (
    <>
      <DrawVerdict {...check} />
      {!round && <SkeletonRows rows={4} className="h-40" />}
      {round && !round.gap && <DrawSteps round={round} drawn={drawn} recomputed={recomputed} />}
      {missed && <MissedSteps missed={missed} recomputed={recomputed} />}
      <VerifyCommand pick={pick} />
    </>
  );
}
