import { useQueryClient } from "@tanstack/react-query";
import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useMoney, useFormatMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { buyPlan, moneyLog } from "#shared/contract/wallet.ts";
import type { Plan } from "./Offers.tsx";

interface Props {
  plan: Plan;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before it buys. What went wrong is said here, and asking again buys once. */
export function BuySheet({ plan, isOpen, onClose }: Props) {
  const text = useText();
  const money = useMoney();
  const said = useFormatMoney();
  const failure = useFailureText();
  const day = useTime({ dateStyle: "medium" });
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useWrite(buyPlan, ({ member_until }) => {
    for (const { path } of [getUserInfo, moneyLog]) void queryClient.invalidateQueries({ queryKey: [path] });
    showToast(text("plan.bought", { date: day(member_until) }), "good");
    onClose();
  });
  const close = () => {
    if (!isPending) reset();
    onClose();
  };
  return (
    <Sheet kind="pop" title={text("plan.title")} isOpen={isOpen} onClose={close}>
      <p className="pb-4">{text("plan.ask", { name: plan.name, price: said(plan.price) })}</p>
      {error && (
        <p role="alert" className="mb-4 rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          {failure(error)}
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button isBusy={isPending} onClick={() => mutate({ id: plan.id })}>
          {text("plan.buy", { price: money(plan.price) })}
        </Button>
        <Button look="quiet" onClick={close}>
          {text("action.cancel")}
        </Button>
      </div>
    </Sheet>
  );
}
