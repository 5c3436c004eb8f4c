import { QrCode as QrIcon } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { QrCode } from "#client/components/QrCode.tsx";
import { Refusal } from "#client/components/Refusal.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { ShareButton } from "#client/components/ShareButton.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useWrite } from "#client/hooks/use-write.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { addInvite, ownInvites } from "#shared/contract/session.ts";
import { DIVIDER } from "#shared/format.ts";

type Own = ReplyOf<typeof ownInvites>;

/** The invites that the member made, and a way to make another while the operator allows one. */
export default function Invites() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(ownInvites, {}, { staleTime: 0 });
  const refresh = useRefresh(refetch);
  return (
    <Screen title={text("invites.title")}>
      {data ? (
        <PullToRefresh onRefresh={refresh}>
          <Shown own={data} />
        </PullToRefresh>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={3} className="h-22" />
      )}
    </Screen>
  );
}

function Shown({ own: { most, list } }: { own: Own }) {
  const text = useText();
  if (most === 0 && list.length === 0)
    return (
      <EmptyNote drawing="closed" title={text("invites.off")}>
        <ButtonLink look="quiet" to="/Mine" replace>
          {text("mine.title")}
        </ButtonLink>
      </EmptyNote>
    );
  return (
    <div className="flex flex-col gap-4">
      {list.length === 0 ? (
        <EmptyNote drawing="invites" title={text("invites.empty")}>
          <p className="text-muted">{text("invites.intro")}</p>
        </EmptyNote>
      ) : (
        <p className="text-muted">{text("invites.intro")}</p>
      )}
      {most > 0 && <Making made={list.length} most={most} />}
      <List list={list} />
    </div>
  );
}

function Making({ made, most }: { made: number; most: number }) {
  const text = useText();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useWrite(
    addInvite,
    () => void queryClient.invalidateQueries({ queryKey: [ownInvites.path] }),
  );
  return (
    <>
      {made < most && (
        <Button isBusy={isPending} onClick={() => mutate({})}>
          {text("invites.make")}
        </Button>
      )}
      <Refusal>{error ? failure(error) : undefined}</Refusal>
      <p className="figures text-sm text-muted">{text("invites.left", { made, most })}</p>
    </>
  );
}

function List({ list }: Pick<Own, "list">) {
  const text = useText();
  // The code stays during the closing animation.
  const [code, choose] = useState<string>();
  const [isShown, show] = useState(false);
  if (list.length === 0) return null;
  return (
    <>
      <ul aria-label={text("invites.list")} className="flex flex-col gap-3">
        {list.map((invite) => (
          <li key={invite.code}>
            <Invite
              invite={invite}
              onShow={() => {
                choose(invite.code);
                show(true);
              }}
            />
          </li>
        ))}
      </ul>
      {code && (
        <Sheet title={code} isOpen={isShown} onClose={() => show(false)}>
          <QrCode address={`${window.location.origin}${pathOf(code)}`} label={text("invites.show", { code })} />
        </Sheet>
      )}
    </>
  );
}

const pathOf = (code: string): string => `/Register?${new URLSearchParams({ invite: code })}`;

function Invite({ invite: { code, used, create_time }, onShow }: { invite: Own["list"][number]; onShow: () => void }) {
  const text = useText();
  const time = useTime();
  return (
    <Card className="flex flex-wrap items-center justify-end gap-x-2">
      <div className="min-w-min flex-1">
        <p translate="no" className="font-mono font-semibold break-all">
          {code}
        </p>
        <p className="text-sm text-muted">
          {text(used === 1 ? "invites.used" : "invites.open") + DIVIDER}
          <span className="inline-block">{time(create_time)}</span>
        </p>
      </div>
      {used === 0 && (
        <div className="flex">
          <button
            type="button"
            onClick={onShow}
            aria-label={text("invites.show", { code })}
            className="grid size-11 shrink-0 place-items-center text-brand-text"
          >
            <QrIcon size={20} aria-hidden />
          </button>
          <ShareButton title={text("invites.title")} path={pathOf(code)} />
        </div>
      )}
    </Card>
  );
}
