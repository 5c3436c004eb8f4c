import { OperatorText } from "#client/components/OperatorText.tsx";
import { Amount } from "#client/components/Amount.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { moneyLog } from "#shared/contract/wallet.ts";

type Entry = ReplyOf<typeof moneyLog>["list"][number];

/** One balance change: reason, time, amount and the balance after it. Neither sign is coloured: a payout may be less than its stake. */
export function EntryRow({ entry: { type_txt, desc, langs, createtime, money, balance } }: { entry: Entry }) {
  const text = useText();
  const time = useTime();
  const amount = useMoney();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 rounded-md border border-line bg-card px-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{type_txt}</p>
        {desc && (
          <p className="text-sm break-words">
            <OperatorText text={desc} lang={langs?.desc} />
          </p>
        )}
        <p className="text-xs text-muted">{time(createtime)}</p>
      </div>
      <div className="ms-auto text-end">
        <Amount
          value={money}
          isSigned
          className={`font-semibold ${money.startsWith("-") ? "text-muted" : "text-ink"}`}
        />
        <p className="figures text-xs text-muted">{text("moneylog.after", { amount: amount(balance) })}</p>
      </div>
    </div>
  );
}
