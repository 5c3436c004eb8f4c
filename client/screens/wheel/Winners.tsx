import { OperatorText } from "#client/components/OperatorText.tsx";
import { useEndpoint } from "#client/api/queries.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { usePrevious } from "#client/hooks/use-previous.ts";
import { useScrollStop } from "#client/hooks/use-scroll-stop.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { luckdrawLog } from "#shared/contract/wheel.ts";
import { DIVIDER } from "#shared/format.ts";

type Winner = ReplyOf<typeof luckdrawLog>[number];

const LOOK_EVERY_MS = 15_000;

export const useWinners = () => useEndpoint(luckdrawLog, { limit: "50" }, { refetchInterval: LOOK_EVERY_MS });

interface Props {
  winners: ReturnType<typeof useWinners>;
  /** A spin is running: the list must not reveal its prize before the wheel stops. */
  isHeld: boolean;
  /** Puts the focus on the wheel; null where none is shown. */
  toWheel: (() => void) | null;
}

/** The winners, newest first; none are invented. The list never scrolls by itself. */
export function Winners({ winners, isHeld, toWheel }: Props) {
  const text = useText();
  const shown = usePrevious(winners.data, isHeld);
  return (
    <section aria-label={text("wheel.winners")} className="flex flex-col gap-2">
      <h2 className="font-semibold">{text("wheel.winners")}</h2>
      {shown ? (
        <List winners={shown} toWheel={toWheel} />
      ) : winners.isError && !isHeld ? (
        <FailedNote error={winners.error} onRetry={() => void winners.refetch()} />
      ) : (
        <SkeletonRows rows={3} className="h-14" />
      )}
    </section>
  );
}

function List({ winners, toWheel }: { winners: Winner[] } & Pick<Props, "toWheel">) {
  const text = useText();
  if (winners.length === 0)
    return (
      <EmptyNote drawing="winners" title={text("wheel.noWinners")}>
        {toWheel ? (
          <Button look="quiet" onClick={toWheel}>
            {text("wheel.toWheel")}
          </Button>
        ) : (
          <ButtonLink look="quiet" to="/Home">
            {text("action.toHome")}
          </ButtonLink>
        )}
      </EmptyNote>
    );
  return <Rows winners={winners} />;
}

function Rows({ winners }: { winners: Winner[] }) {
  const text = useText();
  const stop = useScrollStop<HTMLDivElement>();
  return (
    <div
      {...stop}
      role="group"
      aria-label={text("wheel.winners")}
      className="max-h-72 overflow-y-auto rounded-lg border border-line bg-card px-4 shadow-card"
    >
      <ul className="divide-y divide-line">
        {winners.map((winner, place) => (
          <WinnerRow key={`${winner.add_time} ${winner.username} ${winners.length - place}`} winner={winner} />
        ))}
      </ul>
    </div>
  );
}

function WinnerRow({ winner: { image, mmname, langs, username, add_time, demo } }: { winner: Winner }) {
  const text = useText();
  const date = useTime({ year: "numeric", month: "2-digit", day: "2-digit" });
  return (
    <li className="flex items-center gap-3 py-2.5 text-sm">
      <img src={image} alt="" width={36} height={36} loading="lazy" className="size-9 shrink-0" />
      <p className="min-w-0 flex-1">
        <span className="block font-semibold break-words">
          <OperatorText text={mmname} lang={langs?.mmname} />
        </span>
        <span className="text-muted">
          {username}
          {demo === 1 && DIVIDER + text("state.demo")}
        </span>
      </p>
      <time dateTime={new Date(add_time * 1000).toISOString()} className="figures shrink-0 text-xs text-muted">
        {date(add_time)}
      </time>
    </li>
  );
}
