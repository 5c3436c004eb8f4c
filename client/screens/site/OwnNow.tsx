import { Clapperboard, Gift, WalletMinimal } from "lucide-react";
import { lazy, Suspense, type ComponentType } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { CountingAmount } from "#client/components/Amount.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useOpenRounds, type OpenRound } from "#client/screens/lottery/use-open-rounds.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { withTexts } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { watching } from "#shared/contract/video.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { Tile } from "./Tile.tsx";

/** Only who has a bet needs it. Without it, the bet still stands on Me. */
const RoundTile = lazy<ComponentType<{ round: OpenRound }>>(() =>
  withTexts(() => import("./RoundTile.tsx")).catch(() => ({ default: () => null })),
);

const PLACE = "min-w-[12.5rem] flex-1 snap-start";

/** What waits for the member: open rounds, the balance, spins, and the video begun last. The row scrolls sideways, and is as high from the start. */
export function OwnNow() {
  const text = useText();
  const isMember = useIsMember();
  const { data: user } = useUser();
  const rounds = useOpenRounds();
  if (!isMember) return null;
  if (!user || !rounds) return <Skeleton className="h-21" />;
  return (
    <ul className="-mx-4 flex snap-x scroll-px-4 [scrollbar-width:none] gap-3 overflow-x-auto px-4 pointer-fine:[scrollbar-width:thin]">
      {rounds.map((round) => (
        <li key={round.key + round.expect} className="min-h-21 min-w-[14.5rem] flex-1 snap-start">
          <Suspense>
            <RoundTile round={round} />
          </Suspense>
        </li>
      ))}
      <li className={PLACE}>
        <Tile
          to="/Recharge"
          Icon={WalletMinimal}
          name={<CountingAmount value={user.money} hasUnit />}
          step={text("mine.recharge")}
        />
      </li>
      <SpinsTile />
      {user.is_see === 1 && <VideoTile />}
    </ul>
  );
}

function SpinsTile() {
  const text = useText();
  const hasWheel = useSite().data?.isluckdraw === 1;
  const spins = useEndpoint(wheelSeeds, {}, { enabled: hasWheel }).data?.spins_left;
  if (!hasWheel || !spins) return null;
  return (
    <li className={PLACE}>
      <Tile to="/luckDraw" Icon={Gift} name={text("wheel.title")} step={text("wheel.left", { count: spins })} />
    </li>
  );
}

/** The video begun last; none for who may not watch it. */
function VideoTile() {
  const text = useText();
  const [video] = useEndpoint(watching).data ?? [];
  if (!video) return null;
  return (
    <li className={PLACE}>
      <Tile to={`/PlayVideo?id=${video.id}`} Icon={Clapperboard} name={video.vod_name} step={text("hall.watching")} />
    </li>
  );
}
