import { Amount } from "#client/components/Amount.tsx";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { useBalance, useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { fromDecimal } from "#shared/money.ts";
import type { Plan } from "./Offers.tsx";

/** One plan. A balance that does not cover it is said here, before anything is asked. */
export function PlanCard({ plan: { name, days, price }, onBuy }: { plan: Plan; onBuy: () => void }) {
  const text = useText();
  const money = useMoney();
  const balance = useBalance();
  const term = text("plan.days", { count: days });
  const isCovered = balance === null || balance >= fromDecimal(price);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <div>
          <h2 className="text-base font-semibold">{name}</h2>
          {/* Many a plan is named for its term. */}
          {name !== term && <p className="text-sm text-muted">{term}</p>}
        </div>
        <Amount value={price} className="text-lg font-semibold" />
      </div>
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
