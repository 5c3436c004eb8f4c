import { BadgeCheck, ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { Avatar } from "#client/components/Avatar.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";

/** The logged-in member and their membership status. */
export function Person() {
  const { data: user, isError } = useUser();
  const text = useText();
  const day = useTime({ dateStyle: "medium" });
  // The balance card below shows the error.
  if (!user) return isError ? null : <WaitingPerson />;
  const { username, header_img, is_see, member_until } = user;
  const isMember = is_see === 1;
  return (
    <section className="flex flex-wrap items-center gap-x-4">
      <Avatar username={username} image={header_img} />
      {/* The words go below the picture if large text makes one of them too wide for the place beside it. */}
      <div className="max-w-full min-w-min flex-1 basis-0">
        <p className="text-lg font-semibold break-words">{username}</p>
        <Link
          to="/Plans"
          className={`flex min-h-11 items-center gap-1 text-sm ${isMember ? "text-jade" : "text-brand-text"}`}
        >
          {isMember && <BadgeCheck size={18} aria-hidden className="shrink-0" />}
          {isMember ? text("mine.member", { date: day(member_until) }) : text("mine.noMember")}
          <ChevronRight size={16} aria-hidden className="shrink-0" />
        </Link>
      </div>
    </section>
  );
}

function WaitingPerson() {
  return (
    <div className="flex min-h-18 items-center gap-4" aria-busy>
      <Skeleton className="size-16 rounded-full!" />
      <div className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-6 w-2/5" />
        <Skeleton className="h-5 w-3/5" />
      </div>
    </div>
  );
}
