import { OperatorText } from "#client/components/OperatorText.tsx";
import { FileCheck, ReceiptText, ShieldCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useKnownAt } from "#client/app/last-known.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { TumblingDice } from "#client/components/Dice.tsx";
import { netOf } from "#client/machines/own-round.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { gameList } from "#shared/contract/lottery.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { diceIn } from "./boards.ts";
import { DrawLine } from "./DrawLine.tsx";
import { OrderOptions } from "./OrderOptions.tsx";

export type Order = ReplyOf<typeof gameList>[number];

const WAITING = 0;
const RETURNED = 3;

/** One order: its round, stake, draw and result. */
export function OrderCard({ order, isReceipt = false }: { order: Order; isReceipt?: boolean }) {
  const isReturned = order.status === RETURNED;
  const isDrawn = order.status !== WAITING && !isReturned;
  // Dice roll only if this card showed the order while it was waiting.
  const [wasWaiting] = useState(!isDrawn);
  const round = order.data[0]?.expect ?? "";
  return (
    <Card className="flex flex-col gap-3">
      <Head order={order} round={round} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {isDrawn && <DrawLine draw={order} isRolling={wasWaiting} />}
        {order.status === WAITING && <Rolling kind={order.kind} />}
        <p className={`ms-auto text-sm ${toneOf(netOf(order))}`}>{order.status_text}</p>
      </div>
      <Sums order={order} />
      <OrderOptions kind={order.kind} options={order.data} oddsHash={order.odds} isReturned={isReturned} />
      <div className="flex flex-wrap gap-x-4 print:hidden">
        {(isDrawn || isReturned) && <CheckLink gameKey={order.key} round={round} />}
        <ProofLink order={order.id} round={round} />
        {!isReceipt && <ReceiptLink order={order.id} round={round} />}
      </div>
    </Card>
  );
}

/** Nothing moves of a round that was waiting when the connection was lost: it may be over. */
function Rolling({ kind }: Pick<Order, "kind">) {
  return useKnownAt() === null && <TumblingDice count={diceIn(kind)} />;
}

/** Warm only if more came back than was staked. */
const toneOf = (net: Money | null): string => (net !== null && net > 0 ? "font-semibold text-jade" : "text-muted");

function Head({ order: { ico, name, langs }, round }: { order: Order; round: string }) {
  const text = useText();
  return (
    <div className="flex items-center gap-3">
      <img src={ico} alt="" width={44} height={44} className="size-11 shrink-0 rounded-sm" />
      <div className="min-w-0">
        <h2 className="text-base font-semibold break-words">
          <OperatorText text={name} lang={langs?.name} />
        </h2>
        <p className="figures text-sm text-muted">{text("game.round", { round })}</p>
      </div>
    </div>
  );
}

function Sums({ order: { number, status, money, win, create_time, update_time } }: { order: Order }) {
  const text = useText();
  const time = useTime();
  const facts: [string, ReactNode][] = [[text("order.stake"), <Amount value={money} />]];
  const net = netOf({ money, win });
  if (win !== null) facts.push([text(status === RETURNED ? "order.back" : "order.win"), <Amount value={win} />]);
  if (net !== null && status !== RETURNED)
    facts.push([text("own.net"), <Amount value={toDecimal(net)} isSigned className={toneOf(net)} />]);
  facts.push([text("order.placedAt"), <span className="figures">{time(create_time)}</span>]);
  if (status !== WAITING) {
    facts.push([text("order.settledAt"), <span className="figures">{time(update_time)}</span>]);
  }
  facts.push([text("receipt.number"), <span className="figures">{number}</span>]);
  return <Facts facts={facts} />;
}

function ProofLink({ order, round }: { order: string; round: string }) {
  const text = useText();
  return (
    <Link to={`/Proof?order=${order}`} className={LINK}>
      <FileCheck size={16} aria-hidden className="shrink-0" />
      {text("watch.order.show")}
      <span className="sr-only">{round}</span>
    </Link>
  );
}

function ReceiptLink({ order, round }: { order: string; round: string }) {
  const text = useText();
  return (
    <Link to={`/GameRecord?id=${order}`} className={LINK}>
      <ReceiptText size={16} aria-hidden className="shrink-0" />
      {text("receipt.show")}
      <span className="sr-only">{round}</span>
    </Link>
  );
}

const LINK =
  "-my-2 inline-flex min-h-11 items-center gap-2 self-start text-sm text-brand-text underline underline-offset-4";

function CheckLink({ gameKey, round }: { gameKey: string; round: string }) {
  const text = useText();
  return (
    <Link to={`/Fair?${new URLSearchParams({ key: gameKey, expect: round })}`} className={LINK}>
      <ShieldCheck size={16} aria-hidden className="shrink-0" />
      {text("round.check")}
      <span className="sr-only">{round}</span>
    </Link>
  );
}
