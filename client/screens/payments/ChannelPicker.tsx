import { Wallet } from "lucide-react";
import { ButtonLink } from "#client/components/Button.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useMoney, useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { fromDecimal, fromUnits } from "#shared/money.ts";

/** Whether a channel takes an amount of whole units. */
export const isWithin = ({ min, max }: { min: string; max: string }, money: string): boolean =>
  fromUnits(Number(money)) >= fromDecimal(min) && fromUnits(Number(money)) <= fromDecimal(max);

/** The channels on offer; picking one orders the top-up. */
export function ChannelPicker({ money, onPick }: { money: string; onPick: (way: string) => void }) {
  const text = useText();
  const shown = useMoney();
  const { data: site, isError, error, refetch } = useSite();
  if (isError && !site) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!site) return <SkeletonRows rows={2} />;
  if (site.close_recharge === 1) return <NoChannel title={text("recharge.closed")} />;
  if (site.pay_banklist.length === 0) return <NoChannel title={text("channel.none")} />;
  return (
    <Menu title={text("channel.choose")}>
      {site.pay_banklist.map((channel) => {
        const { code, name, min, max, fee_percent } = channel;
        const isTaken = isWithin(channel, money);
        const fee = fee_percent > 0 ? text("channel.feePercent", { percent: fee_percent }) : undefined;
        const value = isTaken ? fee : text("channel.range", { min: shown(min), max: shown(max) });
        return (
          <MenuRow
            key={code}
            label={name}
            icon={<Wallet size={20} aria-hidden />}
            value={value}
            {...(isTaken && { onPress: () => onPick(code) })}
          />
        );
      })}
    </Menu>
  );
}

function NoChannel({ title }: { title: string }) {
  const text = useText();
  return (
    <EmptyNote drawing="channels" title={title}>
      <ButtonLink look="quiet" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </EmptyNote>
  );
}
