import { BadgeCheck } from "lucide-react";
import { Amount } from "#client/components/Amount.tsx";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";

/** The membership status, and the balance that could buy a plan. */
export function Membership() {
  const text = useText();
  const { data: user, isError, error, refetch } = useUser();
  const day = useTime({ dateStyle: "long" });
  if (!user && isError) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!user) return <Skeleton className="h-21.5" />;
  const isMember = user.is_see === 1;
  return (
    <Card className="flex flex-col gap-2">
      <p role="status" className={`flex items-center gap-2 font-medium text-balance ${isMember ? "text-jade" : ""}`}>
        {isMember && <BadgeCheck size={20} aria-hidden className="shrink-0" />}
        {isMember ? text("plan.until", { date: day(user.member_until) }) : <NotNow until={user.member_until} />}
      </p>
      {isMember && <p className="text-sm text-muted">{text("plan.adds")}</p>}
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="text-muted">{text("mine.balance")}</span>
        <Amount value={user.money} className="font-semibold" />
      </p>
    </Card>
  );
}

/** The end date of a past membership, or a note that there never was one. */
function NotNow({ until }: { until: number }) {
  const text = useText();
  const day = useTime({ dateStyle: "long" });
  return until > 0 ? text("plan.ended", { date: day(until) }) : text("plan.none");
}
