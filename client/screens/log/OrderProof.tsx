import { Download } from "lucide-react";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { Mark } from "#client/screens/lottery/CheckStep.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { shownOf } from "#client/watch/evidence-of.ts";
import { toSeconds } from "#shared/time.ts";
import { EvidenceButton } from "./Findings.tsx";
import { FOUND_WORDS } from "./found-words.ts";
import type { OrderReport } from "#client/watch/messages.ts";
import { saveKept } from "./save-evidence.ts";
import { hasFailed, useOrderProof } from "./use-watch.ts";

/** One bet of the member's own: the receipt, its place among the bets that count, and what it was paid. */
export function OrderProof({ order, origin }: { order: string; origin: string | null }) {
  const text = useText();
  const read = useOrderProof(order, origin);
  const isFailed = hasFailed(read);
  const proof = isFailed ? undefined : read.data;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{text("watch.order.title")}</h2>
      {isFailed && <FailedNote error={read.error} reason={text("state.broken")} onRetry={() => void read.refetch()} />}
      {proof === undefined && !isFailed && <SkeletonRows rows={2} />}
      {proof === null && <p className="text-sm">{text("watch.order.none")}</p>}
      {proof && <Steps proof={proof} />}
    </Card>
  );
}

function Steps({ proof }: { proof: OrderReport }) {
  const text = useText();
  const { receipt, closing, findings, unansweredSince } = proof;
  const isOwed = findings.length > 0 || unansweredSince !== null;
  const isJudged = receipt.state !== "unjudged";
  const isFalse =
    findings.some(({ kind }) => kind === "receipt") || (receipt.state === "wrong" && receipt.proof === undefined);
  return (
    <>
      <p className="figures text-sm text-muted">{text("game.round", { round: receipt.round })}</p>
      <ol className="flex flex-col gap-3 text-sm">
        <li className="flex flex-col gap-1">
          <h3 className="font-medium">{text("watch.order.receipt")}</h3>
          {isJudged && <Mark outcome={isFalse ? "differs" : "matches"} />}
          {isJudged && <p>{text(isFalse ? "watch.found.receipt" : "watch.order.taken")}</p>}
          {!isJudged && <p>{text(receipt.receipt === "" ? "watch.order.missing" : "watch.order.unjudged")}</p>}
          {!isJudged && unansweredSince !== null && <Owed since={unansweredSince} />}
        </li>
        <Count {...proof} />
        <Paid {...proof} />
      </ol>
      {isOwed ? (
        <EvidenceButton report={shownOf(proof)} />
      ) : (
        <Button look="quiet" onClick={() => saveKept(receipt.order, { receipt, closing })}>
          <Download size={18} aria-hidden />
          {text("watch.save")}
        </Button>
      )}
    </>
  );
}

/** Whether the bet won what its odds say, and that reached the balance. */
function Paid({ receipt: { state, payout }, unansweredSince: since }: OrderReport) {
  const text = useText();
  const isOwed = since !== null && (state === "counted" || state === "untold");
  if (!payout && !isOwed) return null;
  const { isRight = null, credit } = payout ?? {};
  const isOpen = isRight === null || credit === "waits" || credit === "missed";
  const isThere = isRight && credit !== "lacks";
  return (
    <li className="flex flex-col gap-1">
      <h3 className="font-medium">{text("order.win")}</h3>
      {isOpen && (since === null ? <p>{text("watch.order.waiting")}</p> : <Owed since={since} />)}
      {!isOpen && <Mark outcome={isThere ? "matches" : "differs"} />}
      {!isOpen && <p>{text(isThere ? "watch.order.paid" : isRight ? "watch.found.credit" : "watch.found.payout")}</p>}
    </li>
  );
}

/** What the house has owed for long. */
function Owed({ since }: { since: number }) {
  const text = useText();
  const time = useTime();
  return (
    <>
      <p>{text("watch.unchecked.title")}</p>
      <p className="text-sm text-muted">{text("watch.unchecked.since", { time: time(toSeconds(since)) })}</p>
    </>
  );
}

/** Where the bet stands among those that count. */
function Count({ receipt: { state, proof }, findings, unansweredSince: since }: OrderReport) {
  const text = useText();
  const found = findings.find(({ kind }) => kind === "notCounted" || kind === "terms");
  const isOpen = state === "taken" && !found;
  if (state === "unjudged" || (state === "wrong" && !proof)) return null;
  const place = proof && { place: proof.index + 1, total: proof.count };
  return (
    <li className="flex flex-col gap-1">
      <h3 className="font-medium">{text("watch.order.closing")}</h3>
      {isOpen && since === null && <p>{text("watch.order.waiting")}</p>}
      {isOpen && since !== null && <Owed since={since} />}
      {state === "lost" && <p>{text("watch.found.betLost")}</p>}
      {(found || state === "wrong") && (
        <>
          <Mark outcome="differs" />
          <p>{text(found ? `watch.found.${FOUND_WORDS[found.kind]}` : "watch.order.wrong")}</p>
        </>
      )}
      {state === "counted" && <Mark outcome="matches" />}
      {state === "counted" && place && <p className="figures">{text("watch.order.counted", place)}</p>}
      {state === "untold" && place && <p className="figures">{text("watch.order.untold", place)}</p>}
    </li>
  );
}
