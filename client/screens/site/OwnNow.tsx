import { Clapperboard, Dices, Gift, WalletMinimal, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { CountingAmount } from "#client/components/Amount.tsx";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useMoney, useSite, useUser } from "#client/hooks/use-site.ts";
import { useOpenRound, useOpenRounds, type OpenRound } from "#client/screens/lottery/use-open-rounds.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";
import { watching } from "#shared/contract/video.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { tablePath } from "#shared/screens.ts";

/** What waits for the member: open rounds, the balance, spins, and the video begun last. The row scrolls sideways, and is as high from the start. */
export function OwnNow() {
  const text = useText();
  const isMember = useIsMember();
  const hasWheel = useSite().data?.isluckdraw === 1;
  const { data: user } = useUser();
  const rounds = useOpenRounds();
  const spins = useEndpoint(wheelSeeds, {}, { enabled: isMember && hasWheel }).data?.spins_left ?? 0;
  const [video] = useEndpoint(watching, {}, { enabled: user?.is_see === 1 }).data ?? [];
  if (!isMember) return null;
  if (!user || !rounds) return <Skeleton className="h-21" />;
  return (
    <ul className="-mx-4 flex snap-x scroll-px-4 [scrollbar-width:none] gap-3 overflow-x-auto px-4 pointer-fine:[scrollbar-width:thin]">
      {rounds.map((round) => (
        <RoundTile key={`${round.key} ${round.expect}`} round={round} />
      ))}
      <Tile
        to="/Recharge"
        Icon={WalletMinimal}
        name={<CountingAmount value={user.money} hasUnit />}
        step={text("mine.recharge")}
      />
      {hasWheel && spins > 0 && (
        <Tile to="/luckDraw" Icon={Gift} name={text("wheel.title")} step={text("wheel.left", { count: spins })} />
      )}
      {video && (
        <Tile to={`/PlayVideo?id=${video.id}`} Icon={Clapperboard} name={video.vod_name} step={text("hall.watching")} />
      )}
    </ul>
  );
}

/** A round with the member's stakes: its game, the stake, and the time left. */
function RoundTile({ round }: { round: OpenRound }) {
  const text = useText();
  const money = useMoney();
  const { game, state } = useOpenRound(round);
  return (
    <Tile
      to={tablePath(round.key)}
      Icon={Dices}
      name={game ? <OperatorText text={game.name} lang={game.langs?.name} /> : text("game.title")}
      step={
        <span className="figures flex flex-wrap gap-x-2">
          <span>{text("figure.named", { name: text("order.stake"), value: money(round.money) })}</span>
          <span>{state}</span>
        </span>
      }
      className="min-w-[14.5rem]"
    />
  );
}

interface Props {
  to: string;
  Icon: LucideIcon;
  name: ReactNode;
  /** What a tap does, or leads to. */
  step: ReactNode;
  className?: string;
}

function Tile({ to, Icon, name, step, className = "min-w-[9.5rem]" }: Props) {
  return (
    <li className={`flex-1 snap-start ${className}`}>
      <Link
        to={to}
        className="flex h-full min-h-21 items-center gap-3 rounded-lg border border-line bg-card p-3 shadow-card hover:border-edge"
      >
        <Icon size={22} aria-hidden className="shrink-0 text-brand-text" />
        <span className="flex min-w-0 flex-col">
          <span className="text-base/tight font-semibold break-words">{name}</span>
          <span className="text-sm font-medium text-brand-text">{step}</span>
        </span>
      </Link>
    </li>
  );
}
