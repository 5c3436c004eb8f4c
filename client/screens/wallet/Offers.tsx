import { OperatorText } from "#client/components/OperatorText.tsx";
import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { FailureText } from "#client/components/FailureText.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useLanguage, useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { plans, buyPlan, moneyLog } from "#shared/contract/wallet.ts";
import { useQueryClient } from "@tanstack/react-query";
import { showToast } from "#client/api/bus.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useMoney, useFormatMoney, useBalance } from "#client/hooks/use-site.ts";
import { useTime } from "#client/text/use-time.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Card } from "#client/components/Card.tsx";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";

export type Plan = ReplyOf<typeof plans>[number];

/** The plans for sale; each purchase asks for confirmation. */
export function Offers() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(plans);
  // The plan stays during the closing animation, so that its text does not vanish first.
  const [asked, ask] = useState<Plan | null>(null);
  const [isOpen, open] = useState(false);
  if (isError && !data) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} className="h-32" />;
  if (data.length === 0)
    return (
      <EmptyNote drawing="plans" title={text("plan.empty")}>
        <ButtonLink look="quiet" to="/Video">
          {text("player.hall")}
        </ButtonLink>
      </EmptyNote>
    );
  const shortest = data.reduce((least, plan) => (plan.days < least.days ? plan : least));
  const want = (plan: Plan) => {
    ask(plan);
    open(true);
  };
  return (
    <>
      <ul className="flex flex-col gap-3">
        {data.map((plan) => (
          <li key={plan.id}>
            <PlanCard plan={plan} shortest={shortest} onBuy={() => want(plan)} />
          </li>
        ))}
      </ul>
      {asked && <BuySheet key={asked.id} plan={asked} isOpen={isOpen} onClose={() => open(false)} />}
    </>
  );
}

interface Props {
  plan: Plan;
  isOpen: boolean;
  onClose: () => void;
}

/** Confirms a purchase. Errors show here, and a retry buys only once. */
function BuySheet({ plan, isOpen, onClose }: Props) {
  const text = useText();
  const money = useMoney();
  const format = useFormatMoney();
  const failure = useFailureText();
  const day = useTime({ dateStyle: "medium" });
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useWrite(buyPlan, ({ member_until }) => {
    for (const { path } of [getUserInfo, moneyLog]) void queryClient.invalidateQueries({ queryKey: [path] });
    showToast(text("plan.bought", { date: day(member_until) }), "good");
    onClose();
  });
  // The list may be older than the plan.
  const renew = () => void queryClient.invalidateQueries({ queryKey: [plans.path] });
  const buy = () => mutate({ id: plan.id, price: plan.price, days: String(plan.days) }, { onError: renew });
  const close = () => {
    if (!isPending) reset();
    onClose();
  };
  return (
    <Sheet kind="pop" title={text("plan.title")} isOpen={isOpen} onClose={close}>
      <p className="pb-4">{text("plan.ask", { name: plan.name, price: format(plan.price) })}</p>
      {error && (
        <p role="alert" className="mb-4 rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          <FailureText>{failure(error)}</FailureText>
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button isBusy={isPending} onClick={buy}>
          {text("plan.buy", { price: money(plan.price) })}
        </Button>
        <Button look="quiet" onClick={close}>
          {text("action.cancel")}
        </Button>
      </div>
    </Sheet>
  );
}

interface CardProps {
  plan: Plan;
  /** The plan with the fewest days, to compare with. */
  shortest: Plan;
  onBuy: () => void;
}

/** One plan. It warns of an insufficient balance before the purchase starts. */
function PlanCard({ plan, shortest, onBuy }: CardProps) {
  const { name, langs, days, price } = plan;
  const text = useText();
  const money = useMoney();
  const balance = useBalance();
  const term = text("plan.days", { count: days });
  const isCovered = balance === null || balance >= fromDecimal(price);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <div>
          <h2 className="text-base font-semibold">
            <OperatorText text={name} lang={langs?.name} />
          </h2>
          {/* Many plans are named for their term. */}
          {name !== term && <p className="text-sm text-muted">{term}</p>}
        </div>
        <Amount value={price} className="text-lg font-semibold" />
      </div>
      <PerDay plan={plan} shortest={shortest} />
      {isCovered ? (
        <Button look="quiet" onClick={onBuy} disabled={balance === null}>
          {text("plan.buy", { price: money(price) })}
        </Button>
      ) : (
        <>
          <p className="text-sm text-amber">{text("plan.insufficient")}</p>
          <ButtonLink look="quiet" to="/Recharge">
            {text("mine.recharge")}
          </ButtonLink>
        </>
      )}
    </Card>
  );
}

/** How many percent less a day costs than with another plan, rounded down. */
function savingOf(plan: Plan, other: Plan): number {
  // Each price for the days of the other plan: a quotient of money may lie just below the whole percent that it is.
  const [own, others] = [fromDecimal(plan.price) * other.days, fromDecimal(other.price) * plan.days];
  return Math.floor(((others - own) * 100) / others);
}

/** The price of a day, to the nearest hundredth, and how much less that is than with the shortest plan. */
function PerDay({ plan, shortest }: Omit<CardProps, "onBuy">) {
  const text = useText();
  const money = useMoney();
  const language = useLanguage();
  const day = fromDecimal(plan.price) / plan.days;
  const [nearest, percent] = [Math.round(day), savingOf(plan, shortest)];
  const share = numberFormat(tagOf(language), { style: "percent" });
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-sm">
      <span className="figures">
        {nearest === day ? "" : "≈ "}
        {text("plan.perDay", { price: money(toDecimal(nearest)) })}
      </span>
      {percent > 0 && (
        <span className="text-muted">
          {text("plan.saves", { percent: share.format(percent / 100), name: shortest.name })}
        </span>
      )}
    </p>
  );
}
