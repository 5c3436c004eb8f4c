import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { RefusedCall } from "#client/api/call-error.ts";
import { useDrawCheck } from "./use-draw-check.ts";
import { useDrawPick, type DrawPick } from "./use-draw-pick.ts";
import { useText } from "#client/text/use-text.ts";
import { DrawPickForm } from "./DrawPickForm.tsx";
import { DrawSteps } from "./DrawSteps.tsx";
import { DrawVerdict } from "./DrawVerdict.tsx";
import { VerifyCommand } from "./VerifyCommand.tsx";

/** Verifies any draw on the reader's own device, in four steps. */
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
        {games && !picked && <EmptyNote title={text("game.noDraw")} />}
        <ButtonLink look="bare" to="/About">
          {text("fair.howTitle")}
        </ButtonLink>
      </div>
    </Screen>
  );
}

function Checked({ pick, check }: { pick: DrawPick; check: ReturnType<typeof useDrawCheck> }) {
  const { round, drawn, recomputed, error, retry } = check;
  if (error) return <FailedNote error={error} onRetry={retry} />;
  return (
    <>
      <DrawVerdict round={round} recomputed={recomputed} />
      {round ? (
        <DrawSteps round={round} drawn={drawn} recomputed={recomputed} />
      ) : (
        <SkeletonRows rows={4} className="h-40" />
      )}
      <VerifyCommand pick={pick} />
    </>
  );
}
