import { usePages } from "#client/api/pages.ts";
import { Card } from "#client/components/Card.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { commentList } from "#shared/contract/listing.ts";
import { DIVIDER } from "#shared/format.ts";
import { CommentForm } from "./CommentForm.tsx";

type Comment = ReplyOf<typeof commentList>["list"][number];

/** The members' comments on a listing, and a form to add one. */
export function Comments({ listingId }: { listingId: string }) {
  const text = useText();
  const { data: user } = useUser();
  const pages = usePages(commentList, ({ list, count }) => ({ list, count }), { input: { id: listingId } });
  return (
    <section aria-label={text("comment.title")} className="flex flex-col gap-3">
      <h2 className="font-semibold">{text("comment.title")}</h2>
      {user?.is_see === 1 && <CommentForm listingId={listingId} />}
      <EndlessList
        pages={pages}
        isPart
        keyOf={({ id }) => id}
        row={(comment) => <CommentCard comment={comment} />}
        label={text("comment.title")}
        empty={<p className="py-6 text-center text-sm text-muted">{text("comment.none")}</p>}
      />
    </section>
  );
}

function CommentCard({ comment }: { comment: Comment }) {
  const text = useText();
  const date = useTime({ dateStyle: "medium" });
  const { username, hearts, create_time, demo } = comment;
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <p className="font-semibold">
          {username}
          {demo === 1 && <span className="font-normal text-muted">{DIVIDER + text("state.demo")}</span>}
        </p>
        <Hearts value={hearts} />
      </div>
      <p className="break-words" lang={comment.langs?.text} dir="auto">
        {comment.text}
      </p>
      <p className="mt-2 text-xs text-muted">{date(create_time)}</p>
    </Card>
  );
}
